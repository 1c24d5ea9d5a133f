/// A receiver of events: an observer, a serialised observer, or a subject.
///
///     func play(_ song: [String], into sink: some StreamSink<String, Never>) {
///       for line in song { sink.next(line) }
///       sink.completed()
///     }
///     play(["La", "la"], into: PushStream<String>())
///
/// *Events*: events that are sent after the end are dropped (C1).
public protocol StreamSink<Input, Failure> {
  /// The type of the elements.
  associatedtype Input
  /// The type of the failure; `Never` if the stream cannot fail.
  associatedtype Failure: Error

  /// Sends an element.
  func next(_ element: Input)

  /// Ends the stream.
  func end(_ termination: Termination<Failure>)
}

extension StreamSink {
  /// Completes the stream.
  @inlinable
  public func completed() { end(.completed) }

  /// Ends the stream with an error.
  @inlinable
  public func failed(_ error: Failure) { end(.failed(error)) }

  /// Sends an event.
  @inlinable
  public func send(_ event: StreamEvent<Input, Failure>) {
    switch event {
    case .next(let element): next(element)
    case .failed(let error): end(.failed(error))
    case .completed: end(.completed)
    }
  }
}
