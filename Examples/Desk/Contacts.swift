import Runnel
import RunnelDesk

@MainActor
final class ContactForm {
  let name = TextField()
  let email = TextField(placeholder: "name@place")
  let phone = RadioGroup(["Mobile", "Home", "Work"], selectedIndex: 0, axis: .horizontal)
  let notes = TextView()
  let save = Button("Save")

  func show(in application: Application) {
    func problem(_ email: String) -> String? { email.contains("@") ? nil : "An @ is missing." }
    email.rx.text.changed.map(problem).bind(to: email.rx.validationMessage)
    name.rx.text.combineLatest(email.rx.text)
      .map { !$0.isEmpty && problem($1) == nil }
      .bind(to: save.rx.isEnabled)

    let form = Form(["Name": name, "E-mail": email, "Phone": phone, "Notes": notes, "": save])
    application.show(Window(content: Box("Contact", form)))
  }
}

let backend = HeadlessBackend(Size(width: 50, height: 14))
let application = Application(backend: backend)
let form = ContactForm()
form.show(in: application)
form.name.window?.makeFirstResponder(form.name)
backend.type("Ann")
backend.press("tab")
backend.type("ann")
print(backend.text)
print(form.save.isEnabled)
backend.type("@home")
print(form.save.isEnabled)

// Output:
// ╭─ Contact ──────────────────────────────────────╮
// │   Name  Ann                                    │
// │                                                │
// │ E-mail  ann                                    │
// │         An @ is missing.                       │
// │  Phone  (•) Mobile  ( ) Home  ( ) Work         │
// │                                                │
// │  Notes                                         │
// │                                                │
// │                                                │
// │                                                │
// │                                                │
// │         [ Save ]                               │
// ╰────────────────────────────────────────────────╯
// false
// true
