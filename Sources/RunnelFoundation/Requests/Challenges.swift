import Foundation
import FoundationNetworking

extension URLSessionTask {
  /// Calls a closure with the server's response if it requires a password and none is available.
  ///
  /// Before Swift 6.4, Foundation never completes such a request if the session has no delegate.
  /// Later versions complete it; the first of both results counts.
  func onUnansweredChallenge(_ action: @escaping @Sendable (HTTPURLResponse) -> Void) {
    if delegate == nil { delegate = ChallengeWatch(action) }
  }
}

/// A delegate that leaves challenges to Foundation, and reports those without a credential.
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
