/// An event of a stream, which follows the grammar `next* (failed | completed)?` (C1).
@frozen
public enum StreamEvent<Element, Failure: Error> {
  /// An element.
  case next(Element)
  /// The stream ended because of an error. No event follows.
  case failed(Failure)
  /// The stream ended successfully. No event follows.
  case completed
}

/// The end of a stream. A stream whose failure is `Never` can only complete.
@frozen
public enum Termination<Failure: Error> {
  /// The stream ended because of an error.
  case failed(Failure)
  /// The stream ended successfully.
  case completed
}

extension StreamEvent {
  /// Creates the terminal event for the end of a stream.
  @inlinable
  public init(_ termination: Termination<Failure>) {
    switch termination {
    case .failed(let error): self = .failed(error)
    case .completed: self = .completed
    }
  }

  /// The element, if the event carries one.
  @inlinable
  public var element: Element? {
    switch self {
    case .next(let element): element
    case .failed, .completed: nil
    }
  }

  /// The end of the stream, if the event is terminal.
  @inlinable
  public var termination: Termination<Failure>? {
    switch self {
    case .next: nil
    case .failed(let error): .failed(error)
    case .completed: .completed
    }
  }
}

extension StreamEvent: Sendable where Element: Sendable {}
extension StreamEvent: Equatable where Element: Equatable, Failure: Equatable {}
extension StreamEvent: Hashable where Element: Hashable, Failure: Hashable {}
extension Termination: Equatable where Failure: Equatable {}
extension Termination: Hashable where Failure: Hashable {}

extension StreamEvent: CustomStringConvertible {
  /// The event as text: `next(1)`, `failed(timedOut)` or `completed`.
  public var description: String {
    switch self {
    case .next(let element): "next(\(element))"
    case .failed(let error): "failed(\(error))"
    case .completed: "completed"
    }
  }
}
