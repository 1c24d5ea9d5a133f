import RunnelDesk
import RunnelStreams
import Testing

/// The form of the guide to controls, on screens of the usual sizes.
@MainActor
@Suite struct ContactFormTests {
  private let name = TextField()
  private let email = TextField(placeholder: "name@place")
  private let phone = RadioGroup(["Mobile", "Home", "Work"], selectedIndex: 0, axis: .horizontal)
  private let notes = TextView()
  private let save = Button("Save")
  private let desk: Desk

  init() {
    func problem(_ email: String) -> String? { email.contains("@") ? nil : "An @ is missing." }
    email.rx.text.changed.map(problem).bind(to: email.rx.validationMessage)
    name.rx.text.combineLatest(email.rx.text)
      .map { !$0.isEmpty && problem($1) == nil }
      .bind(to: save.rx.isEnabled)
    let form = Form(["Name": name, "E-mail": email, "Phone": phone, "Notes": notes, "": save])
    desk = Desk(Box("Contact", form), width: 40, height: 12)
  }

  private func fillIn() {
    desk.press("tab")
    desk.backend.type("Emma\temma")
    desk.press("tab", "right", "tab")
    desk.backend.type("likes tea\nand 世界")
  }

  @Test func looksRightOnASmallScreen() {
    fillIn()
    #expect(
      desk.text == """
        ╭─ Contact ────────────────────────────╮
        │   Name  Emma                         │
        │ E-mail  emma                         │
        │         An @ is missing.             │
        │  Phone  ( ) Mobile  (•) Home         │
        │         ( ) Work                     │
        │  Notes  likes tea                    │
        │         and 世界                     │
        │                                      │
        │                                      │
        │         [ Save ]                     │
        ╰──────────────────────────────────────╯
        """)
  }

  @Test func looksRightOnAUsualScreen() {
    desk.backend.send(.resize(Size(width: 80, height: 24)))
    fillIn()
    #expect(
      desk.text == """
        ╭─ Contact ────────────────────────────────────────────────────────────────────╮
        │   Name  Emma                                                                 │
        │                                                                              │
        │ E-mail  emma                                                                 │
        │         An @ is missing.                                                     │
        │  Phone  ( ) Mobile  (•) Home  ( ) Work                                       │
        │                                                                              │
        │  Notes  likes tea                                                            │
        │         and 世界                                                             │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │         [ Save ]                                                             │
        ╰──────────────────────────────────────────────────────────────────────────────╯
        """)
  }

  @Test func canBeSavedOnlyWhenItIsValid() {
    var saved: [String] = []
    save.rx.tap.observeNext { [name] in saved.append(name.text) }
    #expect(email.validationMessage == nil && !save.isEnabled)
    fillIn()
    #expect(email.validationMessage == "An @ is missing." && !save.isEnabled)
    desk.backend.click("E-mail")
    desk.press("end")
    desk.backend.type("@home")
    #expect(email.validationMessage == nil && save.isEnabled)
    desk.backend.click("Save")
    #expect(saved == ["Emma"] && phone.selectedIndex == 1 && notes.text == "likes tea\nand 世界")
    // Tab selects the name, and typing replaces it.
    desk.press("tab", "delete")
    #expect(name.isFirstResponder && name.text == "" && !save.isEnabled)
  }
}
