import Foundation
import FoundationNetworking

extension URLSessionTask {
  /// Calls back with the server's answer where that asks for a password, and nobody has one.
  ///
  /// Foundation before Swift 6.4 leaves such a request waiting for ever, where the session has no
  /// delegate to ask. Later ones complete it, which comes first.
  func onUnansweredChallenge(_ action: @escaping @Sendable (HTTPURLResponse) -> Void) {
    if delegate == nil { delegate = ChallengeWatch(action) }
  }
}

/// Leaves challenges to Foundation, and tells of those that it has no answer to.
private final class ChallengeWatch: NSObject, URLSessionTaskDelegate {
  private let action: @Sendable (HTTPURLResponse) -> Void

  init(_ action: @escaping @Sendable (HTTPURLResponse) -> Void) {
    self.action = action
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?)
      -> Void
  ) {
    completionHandler(.performDefaultHandling, nil)
    guard challenge.proposedCredential == nil,
      let response = challenge.failureResponse as? HTTPURLResponse
    else { return }
    session.delegateQueue.addOperation { [action] in action(response) }
  }
}
