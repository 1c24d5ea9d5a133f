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
    #expect(press("tab") == ["Volume, slider: 3"])
    #expect(press("tab", "up") == ["Copies, stepper: 3"])
    #expect(press("tab") == ["Size, pop-up button: Large, 2 of 2"])
  }

  @Test func passwordIsNotRead() {
    _ = desk.backend.readLines()
    #expect(press("tab") == ["Password, text field: 6 characters"])
    #expect(press("right", "shift+left") == [])
    #expect(press("backspace") == ["5 characters"])
  }

  /// The label of a combo box is that of its field.
  @Test func partsHaveTheLabelOfTheirControl() {
    let folder = ComboBox(choices: ["Inbox"])
    let outline = OutlineView()
    outline.accessibilityLabel = "Folders"
    let row = StackView(.horizontal, [folder])
    let desk = Desk(StackView(.vertical, [Form(["Folder": row]), outline]), width: 30, height: 8)
    desk.window.makeFirstResponder(folder.field)
    #expect(desk.backend.readLines().last == "Folder, text field")
    desk.backend.press("tab")
    #expect(desk.backend.readLines().first?.hasPrefix("Folders, ") == true)
  }

  @Test func fieldOfAnAlertIsCalledByTheQuestion() {
    let alert = Alert("Rename Milk", buttons: [.default("Rename")])
    alert.accessory = TextField("Milk")
    let asking = alert.ask(in: desk.application).observe(succeeded: { _ in })
    defer { asking.dispose() }
    #expect(desk.backend.readLines().last == "Rename Milk, text field: Milk")
  }

  @Test func scrollPositionIsRead() {
    let lines = Label((1...9).map { "line \($0)" }.joined(separator: "\n"))
    let desk = Desk(ScrollView(lines), width: 20, height: 4)
    desk.backend.press("tab")
    #expect(desk.backend.readLines().last == "scroll view: line 1 of 9")
    desk.backend.press("down")
    #expect(desk.backend.readLines() == ["line 2 of 9"])
  }

  @Test func validationMessageIsRead() {
    _ = desk.backend.readLines()
    name.validationMessage = "A name is needed."
    #expect(desk.backend.readLines() == ["A name is needed."])
    name.text = "Em"
    #expect(desk.backend.readLines() == ["Em, A name is needed."])
  }
}
