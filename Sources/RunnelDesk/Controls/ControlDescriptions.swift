import RunnelText

// The values of the controls' descriptions.

extension EditedControl {
  /// The selected text, or else the character at the caret.
  var caretDetail: String {
    let selection = state.selection
    if !selection.range.isEmpty { return "selected \(document[selection.range])" }
    let rest = document[selection.head..<document.end(ofLine: selection.head.line)]
    return rest.first.map { $0 == " " ? "space" : String($0) } ?? "end of line"
  }
}

extension TextView {
  /// The line with the caret.
  var lineDescription: String {
    let line = document.clamped(selection.head).line
    let text = document[line: line]
    return "\(text.isEmpty ? "empty" : text), line \(line + 1) of \(document.lineCount)"
  }
}

extension TextField {
  /// The text, or the number of its characters if the text is secret.
  var spokenText: String {
    isSecure ? "\(text.count) character\(text.count == 1 ? "" : "s")" : text
  }
}
