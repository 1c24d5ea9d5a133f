import RunnelStreams
import RunnelTesting
import Testing

extension ExitTest.Result? {
  /// Whether the process that trapped gave this reason.
  func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}
