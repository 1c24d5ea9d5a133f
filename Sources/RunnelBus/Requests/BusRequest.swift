/// A request from one part of a program, which another part answers.
///
///     struct Stock: BusRequest {
///       typealias Reply = Int
///       let title: String
///     }
public protocol BusRequest<Reply> {
  /// The type of the answer.
  associatedtype Reply
}

/// The reason why a request has no answer.
public enum AskFailure: Error {
  /// No answerer for this request type exists on this bus or its parents.
  case nobodyAnswers
  /// The answer did not arrive within the time limit.
  case timedOut
  /// The answerer failed with an error.
  case failed(any Error)
}

extension AskFailure: CustomStringConvertible {
  /// A description of the problem and its remedy.
  public var description: String {
    switch self {
    case .nobodyAnswers:
      """
      Nobody answers this request on the bus or its parents. Call answer(_:with:) there first, and \
      do not dispose the result.
      """
    case .timedOut: "The request was not answered in time. Set a longer limit in ask(_:within:)."
    case .failed(let error): "The request could not be answered: \(error)"
    }
  }
}
