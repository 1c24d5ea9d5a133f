#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct AccessibleNameTests {
    private func name(of view: View, in app: TestApp) throws -> String? {
      let description = try #require(view.accessibility)
      return try #require(app.mirror(of: view)).accessibleName(description)
    }

    @Test func controlsHaveTheNamesOfTheirRows() throws {
      let (slider, stepper, field) = (Slider(0.5), Stepper(1), TextField(placeholder: "Any"))
      let (button, comboBox) = (PopUpButton(["Low", "High"]), ComboBox())
      let app = try TestApp(
        Form([
          "Volume": slider, "Copies": stepper, "Name": field, "Priority": button,
          "Folder": comboBox,
        ]))
      defer { app.end() }
      #expect(try name(of: slider, in: app) == "Volume")
      #expect(try name(of: stepper, in: app) == "Copies")
      #expect(try name(of: field, in: app) == "Name")
      #expect(try name(of: comboBox.field, in: app) == "Folder")
      #expect(try name(of: button, in: app) == "Priority: Low")
      button.accessibilityLabel = "Urgency"
      #expect(try name(of: button, in: app) == "Urgency: Low")
    }

    @Test func controlsWithTextAreCalledByIt() throws {
      let (control, link, group) = (Switch("Wi-Fi"), Link("Help"), RadioGroup(["A", "B"]))
      let (button, slider) = (PopUpButton([]), Slider(0.5))
      let app = try TestApp(StackView(.vertical, [control, link, group, button, slider]))
      defer { app.end() }
      #expect(try name(of: control, in: app) == "Wi-Fi")
      #expect(try name(of: link, in: app) == "Help")
      for view in [group, button, slider] { #expect(try name(of: view, in: app) == nil) }
    }

    @Test func theFieldOfAnAlertIsCalledByTheQuestion() throws {
      let app = try TestApp(Label("behind"))
      defer { app.end() }
      let (alert, field) = (Alert("Rename Milk"), TextField("Milk"))
      alert.accessory = field
      let asking = alert.ask(in: app.application).observe(succeeded: { _ in })
      defer { asking.dispose() }
      app.settle()
      #expect(try name(of: field, in: app) == "Rename Milk")
      field.placeholder = "New title"
      #expect(try name(of: field, in: app) == "New title")
      field.accessibilityLabel = "Title"
      #expect(try name(of: field, in: app) == "Title")
    }
  }
}
#endif
