/// A stream of state for user interfaces. It cannot fail, all observers share one observation of
/// the source, and each new observer receives the latest element first.
///
///     let found = searchText
///       .debounce(for: .milliseconds(300))
///       .flatMapLatest { api.search($0).recover(with: []) }
///       .driver
///     found.map { "\($0.count) found" }.drive(label.rx.text)
///
/// A driver is not `Sendable`: one that is created on the main actor stays there (C11). Use
/// ``through(_:)`` for operators that `Driver` does not declare itself. Use `stream` to combine
/// drivers: `Driver(.combineLatest(name.stream, age.stream))`.
public struct Driver<Element>: StreamConvertible {
  /// The shared stream, which replays the latest element to each new observer.
  public let stream: EventStream<Element, Never>

  /// Creates a driver that shares a stream that cannot fail.
  @inlinable
  public init(_ stream: some StreamConvertible<Element, Never>) {
    self.stream = stream.stream.share(replay: 1, scope: .whileConnected)
  }

  /// Sends the elements to a target until the target is released.
  @discardableResult
  public func drive(
    _ target: some Bindable<Element>, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    stream.bind(to: target, file: file, line: line)
  }

  /// Calls the closure with each element.
  @discardableResult
  public func drive(
    file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping (Element) -> Void
  ) -> Disposable {
    stream.observeNext(file: file, line: line, handler)
  }

  /// Returns a driver of the elements after any operators. The result is shared too.
  ///
  ///     name.driver.through { $0.filter { !$0.isEmpty }.distinctUntilChanged() }.drive(title)
  @inlinable
  public func through<Output>(
    _ operators: (EventStream<Element, Never>) -> EventStream<Output, Never>
  ) -> Driver<Output> {
    Driver<Output>(operators(stream))
  }

  /// Returns a driver of the transformed elements.
  @inlinable
  public func map<Output>(_ transform: @escaping (Element) -> Output) -> Driver<Output> {
    through { $0.map(transform) }
  }

  /// Returns a driver of the elements that satisfy a condition.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Driver {
    through { $0.filter(isIncluded) }
  }

  /// Returns a driver that follows the driver created from the latest element.
  @inlinable
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) -> Driver<Output>
  ) -> Driver<Output> {
    through { $0.flatMapLatest { transform($0).stream } }
  }
}

/// A stream of events for user interfaces. It cannot fail, and all observers share one observation
/// of the source. Unlike a ``Driver``, it does not replay earlier elements.
///
///     let saved = saveButton.taps.pulse
///     saved.emit { save() }
public struct Pulse<Element>: StreamConvertible {
  /// The shared stream.
  public let stream: EventStream<Element, Never>

  /// Creates a pulse that shares a stream that cannot fail.
  @inlinable
  public init(_ stream: some StreamConvertible<Element, Never>) {
    self.stream = stream.stream.share()
  }

  /// Sends the elements to a target until the target is released.
  @discardableResult
  public func emit(
    to target: some Bindable<Element>, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    stream.bind(to: target, file: file, line: line)
  }

  /// Calls the closure with each element.
  @discardableResult
  public func emit(
    file: StaticString = #fileID, line: UInt = #line, _ handler: @escaping (Element) -> Void
  ) -> Disposable {
    stream.observeNext(file: file, line: line, handler)
  }

  /// Returns a pulse of the elements after any operators. The result is shared too.
  @inlinable
  public func through<Output>(
    _ operators: (EventStream<Element, Never>) -> EventStream<Output, Never>
  ) -> Pulse<Output> {
    Pulse<Output>(operators(stream))
  }

  /// Returns a pulse of the transformed elements.
  @inlinable
  public func map<Output>(_ transform: @escaping (Element) -> Output) -> Pulse<Output> {
    through { $0.map(transform) }
  }

  /// Returns a pulse of the elements that satisfy a condition.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Pulse {
    through { $0.filter(isIncluded) }
  }

  /// Returns a pulse that follows the pulse created from the latest element.
  @inlinable
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) -> Pulse<Output>
  ) -> Pulse<Output> {
    through { $0.flatMapLatest { transform($0).stream } }
  }
}

extension StreamProtocol {
  /// Returns a driver that sends the given element and completes if the stream fails.
  ///
  ///     source                      --1--2--X
  ///     driver(recoveringWith: 9)   --1--2--9|
  ///
  ///     api.search("Jim").driver(recoveringWith: []).drive(results)
  @inlinable
  public func driver(recoveringWith element: Element) -> Driver<Element> {
    Driver(recover(with: element))
  }

  /// Returns a pulse that continues with another stream if the stream fails.
  ///
  ///     source                            --1--2--X
  ///     pulse(recoveringWith: .just(9))   --1--2--9|
  ///
  ///     api.livePage.pulse(recoveringWith: .just(lastPage)).emit { show($0) }
  @inlinable
  public func pulse(recoveringWith fallback: EventStream<Element, Never>) -> Pulse<Element> {
    Pulse(recover(with: fallback))
  }
}

extension StreamProtocol where Failure == Never {
  /// A driver of the elements.
  ///
  ///     name.driver.drive(label.rx.text)
  @inlinable
  public var driver: Driver<Element> { Driver(stream) }

  /// A pulse of the elements.
  ///
  ///     taps.pulse.emit { save() }
  @inlinable
  public var pulse: Pulse<Element> { Pulse(stream) }
}
