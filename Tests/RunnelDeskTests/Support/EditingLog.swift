import RunnelDesk

/// A delegate that logs every call.
@MainActor
final class EditingLog {
  /// Prefixes of the lines that it refuses. For a command, refusing means to handle it.
  var refused: [String] = []
  var lines: [String] = []

  /// The lines since the last access. Reading clears the log.
  var taken: [String] {
    defer { lines = [] }
    return lines
  }

  fileprivate func isAllowed(_ line: String) -> Bool {
    lines.append(line)
    return !refused.contains { line.hasPrefix($0) }
  }
}

extension EditingLog: TextFieldDelegate {
  func textFieldShouldBeginEditing(_ field: TextField) -> Bool { isAllowed("should begin") }
  func textFieldDidBeginEditing(_ field: TextField) { lines.append("did begin") }
  func textField(
    _ field: TextField, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool {
    isAllowed("should change \(range.lowerBound)-\(range.upperBound) to \(replacement)")
  }
  func textField(_ field: TextField, didChangeText edit: TextEdit) {
    lines.append("changed to \(field.text)")
  }
  func textFieldDidChangeSelection(_ field: TextField) {
    lines.append("selected \(field.selection.head)")
  }
  func textFieldShouldEndEditing(_ field: TextField) -> Bool { isAllowed("should end") }
  func textFieldDidEndEditing(_ field: TextField) { lines.append("did end") }
  func textField(_ field: TextField, doCommand command: Command) -> Bool {
    !isAllowed("do \(command)")
  }
  func textField(_ field: TextField, completionFor text: String) -> String? {
    lines.append("complete \(text)")
    return nil
  }
  func textField(_ field: TextField, didSubmit text: String) {
    lines.append("submit \(field.text)")
  }
}

extension EditingLog: TextViewDelegate {
  func textViewShouldBeginEditing(_ view: TextView) -> Bool { isAllowed("should begin") }
  func textViewDidBeginEditing(_ view: TextView) { lines.append("did begin") }
  func textView(
    _ view: TextView, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool {
    isAllowed("should change \(range.lowerBound)-\(range.upperBound) to \(replacement)")
  }
  func textView(_ view: TextView, didChangeText edit: TextEdit) {
    lines.append("changed to \(view.text)")
  }
  func textViewDidChangeSelection(_ view: TextView) {
    lines.append("selected \(view.selection.head)")
  }
  func textViewShouldEndEditing(_ view: TextView) -> Bool { isAllowed("should end") }
  func textViewDidEndEditing(_ view: TextView) { lines.append("did end") }
  func textView(_ view: TextView, doCommand command: Command) -> Bool {
    !isAllowed("do \(command)")
  }
}
