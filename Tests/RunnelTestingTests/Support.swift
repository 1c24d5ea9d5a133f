import RunnelStreams
import RunnelTesting
import Testing

extension ExitTest.Result? {
  /// Returns true when the trap message of the process contains a text.
  func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
