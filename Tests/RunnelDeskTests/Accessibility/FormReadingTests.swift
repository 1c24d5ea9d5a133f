import RunnelDesk
import RunnelTesting
import Testing

/// The controls of a form in lines for a screen reader.
@MainActor
@Suite struct FormReadingTests {
  private let name = TextField(placeholder: "Given name")
  private let password = TextField("secret")
  private let desk: Desk

  init() {
    password.isSecure = true
    let form = Form([
      "Name": name, "Password": password, "Kind": RadioGroup(["Home", "Work"]),
      "Sound": Switch("On at night"), "Volume": Slider(3, in: 0...10),
      "Copies": Stepper(2, in: 1...9),
      "Size": PopUpButton(["Small", "Large"], selectedIndex: 1),
    ])
    desk = Desk(form, width: 40, height: 20)
    desk.window.makeFirstResponder(name)
  }

  private func press(_ keys: String...) -> [String] {
    for key in keys { desk.backend.press(key) }
    return desk.backend.readLines()
  }

  @Test func controlsHaveTheLabelsOfTheForm() {
    #expect(desk.backend.readLines().last == "Name, text field")
    #expect(press("tab", "tab") == ["Kind, radio group: nothing selected"])
    #expect(press("down") == ["Home, 1 of 2"])
    #expect(press("tab") == ["Sound, switch: off"])
    #expect(press("space") == ["on"])
    #expect(press("tab") == ["Volume, slider: 3.0"])
    #expect(press("tab", "up") == ["Copies, stepper: 3"])
    #expect(press("tab") == ["Size, pop-up button: Large, 2 of 2"])
  }

  @Test func passwordIsNotRead() {
    _ = desk.backend.readLines()
    #expect(press("tab") == ["Password, text field: 6 characters"])
    #expect(press("right", "shift+left") == [])
    #expect(press("backspace") == ["5 characters"])
  }

  @Test func validationMessageIsRead() {
    _ = desk.backend.readLines()
    name.validationMessage = "A name is needed."
    #expect(desk.backend.readLines() == ["A name is needed."])
    name.text = "Em"
    #expect(desk.backend.readLines() == ["Em, A name is needed."])
  }
}
