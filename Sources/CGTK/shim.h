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

// Returns a tag. The text around it decides about unset attributes, such as a weight of 0 and a scale of 1.
static inline GtkTextTag *runnel_text_tag(
    const char *foreground, const char *background, int weight, int is_italic, int is_underlined,
    int is_struck, double scale, const char *family) {
  GtkTextTag *tag = gtk_text_tag_new(NULL);
  if (foreground) g_object_set(tag, "foreground", foreground, NULL);
  if (background) g_object_set(tag, "background", background, NULL);
  if (weight) g_object_set(tag, "weight", weight, NULL);
  if (is_italic) g_object_set(tag, "style", PANGO_STYLE_ITALIC, NULL);
  if (is_underlined) g_object_set(tag, "underline", PANGO_UNDERLINE_SINGLE, NULL);
  if (is_struck) g_object_set(tag, "strikethrough", TRUE, NULL);
  if (scale != 1) g_object_set(tag, "scale", scale, NULL);
  if (family) g_object_set(tag, "family", family, NULL);
  return tag;
}

// Creates a widget of a class with a name for style sheets and a role for assistive technology.
static inline GtkWidget *runnel_new_widget(GType type, const char *name, GtkAccessibleRole role) {
  return (GtkWidget *)g_object_new(type, "css-name", name, "accessible-role", role, NULL);
}
