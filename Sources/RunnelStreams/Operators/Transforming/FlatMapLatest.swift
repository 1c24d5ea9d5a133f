extension StreamProtocol {
  /// Makes a stream of each element and sends what the latest of them sends.
  ///
  ///     source                         --1----2---|
  ///     flatMapLatest { threeOf($0) }  --1--1-2--2--2|
  ///
  ///     searchText.flatMapLatest { text in results(for: text) }.observeNext { show($0) }
  ///
  /// *Events*: it completes when the source and the latest inner stream have; the first failure of
  /// either ends it, and so does an error thrown by the closure.
  ///
  /// *Disposal*: a new element calls the closure first, then the inner stream before is disposed,
  /// and then the new one is observed. An inner stream leaves nothing behind (C9).
  @inlinable
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    let source = stream
    return .unguarded { observer in
      let switching = Switching(into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard switching.outlet.isOpen else { return }
          do throws(Failure) {
            switching.observe(try transform(element))
          } catch {
            switching.outlet.end(.failed(error))
          }
        },
        end: { switching.sourceEnded($0) })
    }
  }
}

/// Observes one inner stream at a time and sends what it sends: the engine of `flatMapLatest` and
/// `flatMapFirst`.
///
/// An inner stream costs two allocations, its observation and the closure for its end; the closure
/// for its elements is shared by all.
@usableFromInline
final class Switching<Element, Failure: Error>: Teardown {
  @usableFromInline let outlet: Outlet<Element, Failure>
  @usableFromInline let forward: (Element) -> Void
  @usableFromInline @exclusivity(unchecked) var current: Disposable?
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false

  @inlinable
  init(into observer: Observer<Element, Failure>) {
    let outlet = Outlet(observer)
    self.outlet = outlet
    forward = { outlet.next($0) }
    observer.observation.add(self)
  }

  /// Whether an inner stream may be observed, and none is.
  @inlinable
  var isIdle: Bool { current == nil && outlet.isOpen }

  /// Observes an inner stream in the place of the one before.
  @inlinable
  func observe(_ stream: EventStream<Element, Failure>) {
    // The closure that made the stream may have disposed the observation.
    guard outlet.isOpen else { return }
    let child = Disposable()
    let previous = current
    current = child
    previous?.dispose()
    // What the old stream does when it is disposed may have ended it all.
    guard child.isActive else { return }
    stream.start(
      Observer(
        next: forward,
        end: { termination in
          guard child.beginEnding() else { return }
          self.innerEnded(termination)
          child.dispose()
        }, observation: child))
  }

  /// The source of inner streams has ended.
  @inlinable
  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed: outlet.end(termination)
    case .completed:
      sourceHasEnded = true
      if current == nil { outlet.end(.completed) }
    }
  }

  /// The current inner stream has ended: one that was replaced is disposed, and has no end.
  @inlinable
  func innerEnded(_ termination: Termination<Failure>) {
    current = nil
    switch termination {
    case .failed: outlet.end(termination)
    case .completed:
      if sourceHasEnded { outlet.end(.completed) }
    }
  }

  @usableFromInline
  func tearDown() {
    let child = current
    current = nil
    child?.dispose()
  }
}
