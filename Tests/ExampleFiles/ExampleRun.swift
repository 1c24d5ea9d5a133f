/// Additions that an example of a guide needs in order to run. Examples without one run unchanged.
struct ExampleRun {
  /// A line of the example that occurs in no other example of the guide.
  let line: String
  /// Statements that run before those of the example, in the same function.
  var before: [String] = []
  /// Statements that run after those of the example, in the same function.
  var after: [String] = []
  /// Replacements for parts of the example that cannot run without a user.
  var replacing: [(String, String)] = []

  /// Runs of examples that only declare something, wait for something, or need a screen.
  static let all: [String: [ExampleRun]] = [
    "Documentation/Desk.md": [
      ExampleRun(
        line: "final class ShoppingList {",
        after: [
          "let shopping = ShoppingList()", "shopping.show(in: application)",
          "check(backend.text.contains(\"3 items\"))",
        ]),
      ExampleRun(
        line: "final class ContactForm {",
        after: [
          "let contacts = ContactForm()", "contacts.show(in: application)",
          "backend.type(\"\\tEmma\\temma\")", "check(backend.text.contains(\"An @ is missing.\"))",
          "check(!contacts.save.isEnabled)",
        ]),
      ExampleRun(
        line: "let greeting = Label()",
        replacing: [
          // The program has no terminal and no user to terminate the application.
          ("try TerminalBackend()", "backend"),
          (
            "EventLoop.main.run(until",
            "check(backend.text.contains(\"Greet\"))\n"
              + "EventLoop.main.execute { MainActor.assumeIsolated { application.terminate() } }\n"
              + "EventLoop.main.run(until"
          ),
        ]),
      ExampleRun(
        line: "final class Stars: View, CellDrawn {",
        after: ["application.show(window)", "check(backend.text.contains(\"★★★\"))"]),
      ExampleRun(
        line: "let script = try Script(",
        before: [
          "let title = TextField()", "let count = Label()", "let save = Button(\"Save\")",
          "title.rx.submit.observeNext { _ in count.text = \"1 note\" }",
          "save.rx.tap.observeNext {", "  mkdir(\"notes\", 0o700)",
          "  let file = creat(\"notes/milk.txt\", 0o600)", "  check(write(file, \"milk\", 4) == 4)",
          "  close(file)", "}",
          "let form = Window(content: StackView(.vertical, [title, count, save]))",
          "form.makeFirstResponder(title)", "application.show(form)",
        ]),
      ExampleRun(
        line: "func ticked(_ checkbox: Checkbox, isOn: Bool) {",
        after: [
          "let checkbox = Checkbox(\"Wrap lines\")",
          "application.show(Window(content: checkbox))", "ticked(checkbox, isOn: true)",
          "check(checkbox.isOn)",
        ]),
    ]
  ]

  /// The guides whose examples do not run on their own, with the reason.
  static let exceptions = [
    "Documentation/Tutorial.md":
      "Each example is a part of Samples/Notes; NotesTests compares them and runs the app."
  ]

  /// Returns the run of an example of a guide, or nil.
  static func of(_ example: DocumentationBlock) -> ExampleRun? {
    all[example.file]?.first { example.lines.contains($0.line) }
  }
}
