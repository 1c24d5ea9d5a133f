#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct FieldMirrorTests {
    @Test func aSecureFieldShowsDots() throws {
      let field = TextField("secret", isSecure: true)
      let shown = try TestApp(field)
      defer { shown.end() }
      let entry = try #require(shown.widgets(gtk_entry_get_type(), of: field).first)
      #expect(!Bool(gtk_entry_get_visibility(cast(entry))) && shown.lines[0] == "••••••")
      field.isSecure = false
      #expect(shown.lines[0] == "secret" && Bool(gtk_entry_get_visibility(cast(entry))))
    }

    @Test func aValidationMessageIsInTheFieldOrBelowIt() throws {
      let (alone, inner) = (TextField("x"), TextField("y"))
      let form = Form(["Age": StackView(.horizontal, [inner])])
      let shown = try TestApp(
        StackView(.vertical, [alone, form]), size: Size(width: 40, height: 8))
      defer { shown.end() }
      for field in [alone, inner] { field.validationMessage = "Wrong." }
      #expect(shown.lines[0] == "x" + String(repeating: " ", count: 33) + "Wrong.")
      #expect(shown.lines[1] == "Age  y" && shown.lines[2] == "     Wrong.")
      for field in [alone, inner] {
        let entry = try #require(shown.widgets(gtk_entry_get_type(), of: field).first)
        #expect(Bool(gtk_widget_has_css_class(entry, "error")))
        field.isEnabled = false
        shown.settle()
        #expect(!Bool(gtk_widget_has_css_class(entry, "error")))
      }
      #expect(shown.lines[0] == "x" && shown.lines[2] == "")
    }

    @Test func aLabelThatFitsIntoItsCellsIsNotCut() throws {
      let label = Label("WWWW")
      label.width = 4
      let shown = try TestApp(StackView(.horizontal, [label, View()]))
      defer { shown.end() }
      let widget = try #require(shown.mirror(of: label)?.native)
      let layout = gtk_label_get_layout(cast(widget))
      #expect(!Bool(pango_layout_is_ellipsized(layout)))
      label.text = "WWWWWW"
      shown.settle { Bool(pango_layout_is_ellipsized(gtk_label_get_layout(cast(widget)))) }
      #expect(Bool(pango_layout_is_ellipsized(gtk_label_get_layout(cast(widget)))))
    }
  }
}
#endif
