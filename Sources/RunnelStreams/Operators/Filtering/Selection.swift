/// The fate of an element in an operator that may end the stream.
@usableFromInline
enum Selection {
  case send
  case drop
  case stop
  case sendAndStop
}

extension EventStream {
  /// Sends the elements of a source as a closure decides. When it stops, the stream completes and the
  /// source is disposed.
  @inlinable
  static func selecting(
    from source: EventStream, _ select: @escaping (Element) throws(Failure) -> Selection
  ) -> EventStream {
    .unguarded(after: source) { observer in
      let stopper = SourceStopper(before: observer)
      source.start(
        stopper.observer { element in
          do throws(Failure) {
            switch try select(element) {
            case .send: observer.next(element)
            case .drop: break
            case .stop: stopper.end(.completed)
            case .sendAndStop: stopper.end(.completed, after: element)
            }
          } catch {
            stopper.end(.failed(error))
          }
        })
    }
  }
}
