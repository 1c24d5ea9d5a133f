// GTK 4.8 or later.
#pragma once

#if __has_include(<gtk/gtk.h>)
#include <gtk/gtk.h>
#else
#error "RunnelGTK needs GTK 4. Install the package libgtk-4-dev (Fedora: gtk4-devel)."
#endif

// MARK: - Macros

static inline GType runnel_type_object(void) { return G_TYPE_OBJECT; }
static inline GType runnel_type_boolean(void) { return G_TYPE_BOOLEAN; }
static inline GType runnel_type_string(void) { return G_TYPE_STRING; }
static inline GType runnel_type_int(void) { return G_TYPE_INT; }
static inline GType runnel_type_double(void) { return G_TYPE_DOUBLE; }
static inline GType runnel_type_of(gconstpointer object) { return G_TYPE_FROM_INSTANCE(object); }

static inline int runnel_is_a(gconstpointer object, GType type) {
  return g_type_check_instance_is_a((GTypeInstance *)object, type);
}

// MARK: - Functions with variable arguments

// Emits an action signal with a text, such as "insert-at-cursor".
static inline void runnel_emit_text(gpointer object, const char *signal, const char *text) {
  g_signal_emit_by_name(object, signal, text);
}

// Clicks a button at once. An activated button waits, so that it is seen pressed.
static inline void runnel_click(gpointer button) {
  g_signal_emit_by_name(button, "clicked");
}

// Answers a native dialog, as the user does.
static inline void runnel_respond(gpointer dialog, int response) {
  g_signal_emit_by_name(dialog, "response", response);
}

// Emits "move-cursor" of a text view.
static inline void runnel_move_cursor(
    gpointer object, GtkMovementStep step, int count, gboolean extends) {
  g_signal_emit_by_name(object, "move-cursor", step, count, extends);
}

// Sets a property before the widget is shown.
static inline void runnel_set_role(GtkWidget *widget, GtkAccessibleRole role) {
  g_object_set(widget, "accessible-role", role, NULL);
}

static inline void runnel_set_label(GtkWidget *widget, const char *label) {
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static inline void runnel_set_description(GtkWidget *widget, const char *text) {
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static inline void runnel_set_checked(GtkWidget *widget, int is_checked) {
  gtk_accessible_update_state(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_CHECKED,
      is_checked ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

static inline void runnel_set_selected(GtkWidget *widget, int is_selected) {
  gtk_accessible_update_state(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_SELECTED, is_selected, -1);
}

static inline void runnel_set_value(
    GtkWidget *widget, double minimum, double maximum, double value, const char *text) {
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, minimum,
      GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, maximum, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value,
      GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

// MARK: - Text

static inline void runnel_buffer_insert_text(
    GtkTextBuffer *buffer, GtkTextIter *place, const char *text, int length) {
  if (g_object_steal_data(G_OBJECT(buffer), "runnel-inserted")) return;
  GtkTextBufferClass *base = (GtkTextBufferClass *)g_type_class_peek(GTK_TYPE_TEXT_BUFFER);
  base->insert_text(buffer, place, text, length);
}

static inline void runnel_buffer_class_init(gpointer class, gpointer data) {
  ((GtkTextBufferClass *)class)->insert_text = runnel_buffer_insert_text;
}

// Creates a text view with a buffer for runnel_insert_early().
static inline GtkWidget *runnel_new_text_view(void) {
  GType type = g_type_from_name("RunnelTextBuffer");
  if (!type)
    type = g_type_register_static_simple(
        GTK_TYPE_TEXT_BUFFER, "RunnelTextBuffer", sizeof(GtkTextBufferClass),
        runnel_buffer_class_init, sizeof(GtkTextBuffer), NULL, 0);
  GtkTextBuffer *buffer = (GtkTextBuffer *)g_object_new(type, NULL);
  GtkWidget *view = gtk_text_view_new_with_buffer(buffer);
  g_object_unref(buffer);
  return view;
}

// Inserts text in the first handler of "insert-text", so that the others see the text and the caret after the change.
// GTK 4.8 would tell assistive technology a position before the text, and the former place of the caret.
static inline void runnel_insert_early(
    GtkTextBuffer *buffer, GtkTextIter *place, const char *text, int length) {
  runnel_buffer_insert_text(buffer, place, text, length);
  g_object_set_data(G_OBJECT(buffer), "runnel-inserted", buffer);
}

// Returns a tag. The text around it decides about unset attributes, such as a weight of 0 and a scale of 1.
static inline GtkTextTag *runnel_text_tag(
    const char *foreground, const char *background, int weight, int is_italic, int is_underlined,
    int is_struck, int is_wavy, double scale, const char *family) {
  GtkTextTag *tag = gtk_text_tag_new(NULL);
  if (foreground) g_object_set(tag, "foreground", foreground, NULL);
  if (background) g_object_set(tag, "background", background, NULL);
  if (weight) g_object_set(tag, "weight", weight, NULL);
  if (is_italic) g_object_set(tag, "style", PANGO_STYLE_ITALIC, NULL);
  if (is_underlined) g_object_set(tag, "underline", PANGO_UNDERLINE_SINGLE, NULL);
  // GTK draws it in red.
  if (is_wavy) g_object_set(tag, "underline", PANGO_UNDERLINE_ERROR, NULL);
  if (is_struck) g_object_set(tag, "strikethrough", TRUE, NULL);
  if (scale != 1) g_object_set(tag, "scale", scale, NULL);
  if (family) g_object_set(tag, "family", family, NULL);
  return tag;
}

// Creates a tag that leaves room below a line.
static inline GtkTextTag *runnel_space_tag(int pixels) {
  GtkTextTag *tag = gtk_text_tag_new(NULL);
  g_object_set(tag, "pixels-below-lines", pixels, NULL);
  return tag;
}

static inline void runnel_set_tag_foreground(GtkTextTag *tag, const char *color) {
  g_object_set(tag, "foreground", color, NULL);
}

// MARK: - Settings of the portal

// The arguments of a method that reads a setting.
static inline GVariant *runnel_setting_name(const char *space, const char *key) {
  return g_variant_new("(ss)", space, key);
}

// Returns the number that is the last part of a tuple, inside of variants; -1 if there is none.
static inline gint64 runnel_last_number(GVariant *tuple) {
  if (g_variant_classify(tuple) != G_VARIANT_CLASS_TUPLE || g_variant_n_children(tuple) == 0) return -1;
  GVariant *value = g_variant_get_child_value(tuple, g_variant_n_children(tuple) - 1);
  while (g_variant_classify(value) == G_VARIANT_CLASS_VARIANT) {
    GVariant *inner = g_variant_get_variant(value);
    g_variant_unref(value);
    value = inner;
  }
  gint64 number = g_variant_classify(value) == G_VARIANT_CLASS_UINT32 ? g_variant_get_uint32(value) : -1;
  g_variant_unref(value);
  return number;
}

// Returns the number in a signal that a setting has another value; -1 if it is about another setting.
static inline gint64 runnel_changed_number(GVariant *arguments, const char *key) {
  if (!g_variant_is_of_type(arguments, G_VARIANT_TYPE("(ssv)"))) return -1;
  const char *name = NULL;
  g_variant_get_child(arguments, 1, "&s", &name);
  return g_strcmp0(name, key) == 0 ? runnel_last_number(arguments) : -1;
}

// Creates a widget of a class with a name for style sheets and a role for assistive technology.
static inline GtkWidget *runnel_new_widget(GType type, const char *name, GtkAccessibleRole role) {
  return (GtkWidget *)g_object_new(type, "css-name", name, "accessible-role", role, NULL);
}
