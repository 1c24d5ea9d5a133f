import RunnelStreams
import RunnelText

// Questions that are asked with a control.
extension Alert {
  /// Creates a question that a control answers. When the user chooses the button, `accept` is called. If it returns a
  /// reason why the answer cannot be used, the alert shows it and stays open. The text of a ``TextField`` or
  /// ``ComboBox`` is selected, so that typing replaces it.
  ///
  ///     let name = TextField("Milk")
  ///     let alert = Alert("New note", asking: name, button: "Create") {
  ///       if name.text.isEmpty { return "Type a name." }
  ///       print(name.text)
  ///       return nil
  ///     }
  ///     alert.ask(in: application).observe()
  public convenience init(
    _ title: String, asking control: View, button: String, accept: @escaping () -> String?
  ) {
    self.init(title, buttons: [.cancel("Cancel"), .default(button)])
    accessory = control
    (control as? TextField ?? (control as? ComboBox)?.field)?.selectAll()
    // The alert owns the action.
    _ = rDelegate.answer(\.alert_shouldCloseWith) { alert, button in
      guard button.role == .default, let reason = accept() else { return true }
      alert.message = reason
      return false
    }
  }

  /// Creates an alert that shows a page of text, which scrolls if it is longer than the screen.
  public convenience init(_ title: String, page text: String) {
    self.init(title)
    let label = Label(text)
    label.wraps = true
    let page = ScrollView(label)
    page.fitsContent = true
    accessory = page
  }
}

extension TextView {
  /// Asks for the number of a line, and moves the caret and the focus to it. A number that is too large is the last
  /// line.
  public func askForLine(in application: Application) -> Maybe<AlertButton, Never> {
    let field = TextField(placeholder: "1 to \(document.lineCount)")
    let alert = Alert("Go to line", asking: field, button: "Go") { [weak self] in
      guard let self else { return nil }
      let typed = field.text.trimmed
      // A number that is too large for a line may be too large for an integer.
      let isHuge = !typed.isEmpty && typed.utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard let number = Int(typed) ?? (isHuge ? .max : nil) else { return "Type a number." }
      let line = min(max(number, 1), document.lineCount) - 1
      propose(selection: TextSelection(caret: TextPosition(line: line, offset: 0)))
      window?.makeFirstResponder(self)
      return nil
    }
    return alert.ask(in: application)
  }
}
