/// Whatever events can be sent to: observers, outlets, and the streams that are sent to by hand.
///
///     func play(_ song: [String], into sink: some StreamSink<String, Never>) {
///       for line in song { sink.next(line) }
///       sink.completed()
///     }
///     play(["La", "la"], into: PushStream<String>())
///
/// *Events*: what is sent after the end does nothing (C1).
public protocol StreamSink<Input, Failure> {
  /// What can be sent.
  associatedtype Input
  /// How the stream can fail; `Never` where it cannot.
  associatedtype Failure: Error

  /// Sends an element.
  func next(_ element: Input)

  /// Ends the stream.
  func end(_ termination: Termination<Failure>)
}

extension StreamSink {
  /// Ends the stream: nothing more will come.
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
