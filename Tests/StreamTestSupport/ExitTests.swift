import Testing

extension ExitTest.Result? {
  /// Returns true if the standard error of the process contains a message.
  package func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
