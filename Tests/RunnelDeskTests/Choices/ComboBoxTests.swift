import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ComboBoxTests {
  private let box = ComboBox("In", choices: ["Inbox", "Archive", "下書き"], placeholder: "Folder")
  private let desk: Desk

  init() {
    desk = Desk(StackView(.vertical, [box, View()]), focusing: box.field, width: 14, height: 6)
  }

  @Test func theMenuSetsTheText() {
    #expect(desk.text == "In           ▾")
    desk.press("down")
    #expect(
      desk.text == """
        In           ▾
        ┌────────────┐
        │  Inbox     │
        │  Archive   │
        │  下書き    │
        └────────────┘
        """)
    desk.press("end", "enter")
    #expect(desk.text == "下書き       ▾")
    #expect(desk.cursor == Point(x: 6, y: 0))
    desk.press("down")
    #expect(desk.text.contains("✓ 下書き"))
    desk.press("escape", "ctrl+z")
    #expect(box.text == "In")
  }

  @Test func theArrowOpensTheMenu() {
    desk.window.makeFirstResponder(nil)
    desk.click(13, 0)
    #expect(box.field.isFirstResponder)
    desk.backend.click("Archive")
    #expect(box.text == "Archive")
  }

  @Test func typingIsCompleted() {
    box.text = ""
    #expect(desk.text == "Folder       ▾")
    desk.backend.type("ar")
    #expect(desk.text == "archive      ▾")
    desk.press("tab")
    #expect(box.text == "Archive")
    box.text = ""
    desk.backend.type("other")
    #expect(box.text == "other")
  }

  @Test func theDelegateOfTheFieldMayRefuse() {
    box.field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in text != "box" }
    desk.press("down", "enter")
    #expect(box.text == "In")
    desk.press("down", "down", "enter")
    #expect(box.text == "Archive")
  }

  /// The delegate of the field, and handlers of its proxy, come before the combo box.
  @Test(arguments: [false, true])
  func theFieldHasItsOwnDelegate(isProxy: Bool) {
    let log = EditingLog()
    let answers = DisposeBag()
    box.text = ""
    if isProxy {
      let field = box.field.rDelegate
      field.answer(\.textField_doCommand) { _, command in command == .cancel }.disposed(by: answers)
      field.answer(\.textField_completionFor) { _, text in text == "x" ? "xyz" : nil }
        .disposed(by: answers)
    } else {
      box.field.delegate = log
    }
    desk.backend.type("ar")
    #expect(desk.text == "archive      ▾")
    #expect(isProxy || log.taken.contains("complete ar"))
    desk.press("tab", "down")
    #expect(desk.text.contains("✓ Archive"))
    #expect(isProxy || log.taken.contains("do move(RunnelDesk.Movement.down)"))
    desk.press("escape")
    if isProxy {
      box.text = ""
      desk.backend.type("x")
      #expect(desk.text == "xyz          ▾")
    } else {
      log.refused = ["do move"]
      desk.press("down")
      #expect(!desk.text.contains("Inbox"))
    }
  }

  @Test func aBackendProposesItsText() {
    #expect(box.propose(text: "Archive") && box.text == "Archive")
    box.field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, _ in false }
    #expect(!box.propose(text: "Inbox") && box.text == "Archive")
    #expect(!ComboBox().propose(text: "Inbox"))
  }

  @Test func withoutChoicesTheArrowKeyMovesTheCaret() {
    box.choices = []
    #expect(!box.open())
    desk.press("home", "down")
    #expect(desk.cursor == Point(x: 2, y: 0))
    box.choices = ["A"]
    box.field.isEditable = false
    #expect(!box.open())
    box.field.isEditable = true
    box.isEnabled = false
    #expect(!box.open())
    desk.click(13, 0)
    #expect(desk.text == "In           ▾")
  }

  @Test func tinySizes() {
    for width in 0...3 {
      desk.backend.send(.resize(Size(width: width, height: 1)))
      #expect(box.open())
      _ = desk.text
      desk.press("escape")
    }
  }

  @Test func bindsItsTextAndChoices() {
    let values = box.rx.text.record()
    Property(["Sent"]).bind(to: box.rx.choices)
    desk.press("down", "enter")
    #expect(values.elements == ["In", "Sent"])
  }

  @Test func isReleased() {
    weak var held: ComboBox?
    do {
      let box = ComboBox(choices: ["A"])
      held = box
      desk.window.content = box
      _ = box.open()
      desk.window.content = View()
    }
    #expect(held == nil)
  }
}
