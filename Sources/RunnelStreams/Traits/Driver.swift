/// A stream for user interfaces: it cannot fail, all observers share one run, and each is told the
/// latest element when it begins.
///
///     let found = searchText
///       .debounce(for: .milliseconds(300))
///       .flatMapLatest { api.search($0).recover(with: []) }
///       .driver
///     found.map { "\($0.count) found" }.drive(label.rx.text)
///
/// A driver is confined like every stream: made on the main actor, it stays there (C11). Use
/// ``through(_:)`` for all operators that a driver has not of its own, and `stream` to combine
/// drivers: `Driver(.combineLatest(name.stream, age.stream))`.
public struct Driver<Element>: StreamConvertible {
  /// The shared stream, with the latest element first.
  public let stream: EventStream<Element, Never>

  /// Shares a stream that cannot fail.
  public init(_ stream: some StreamConvertible<Element, Never>) {
    self.stream = stream.stream.share(replay: 1, scope: .whileConnected)
  }

  /// Sends the elements to a target, and ends with it.
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

  /// A driver of what any operators make of the elements; its result is shared too.
  ///
  ///     name.driver.through { $0.filter { !$0.isEmpty }.distinctUntilChanged() }.drive(title)
  public func through<Output>(
    _ operators: (EventStream<Element, Never>) -> EventStream<Output, Never>
  ) -> Driver<Output> {
    Driver<Output>(operators(stream))
  }

  /// A driver of what the closure makes of each element.
  public func map<Output>(_ transform: @escaping (Element) -> Output) -> Driver<Output> {
    through { $0.map(transform) }
  }

  /// A driver of the elements that satisfy a condition.
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Driver {
    through { $0.filter(isIncluded) }
  }

  /// A driver that follows the driver made of the latest element.
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) -> Driver<Output>
  ) -> Driver<Output> {
    through { $0.flatMapLatest { transform($0).stream } }
  }
}

/// Like ``Driver``, for events instead of state: it cannot fail and all observers share one run, but
/// nobody is told what was before.
///
///     let saved = saveButton.taps.pulse
///     saved.emit { save() }
public struct Pulse<Element>: StreamConvertible {
  /// The shared stream.
  public let stream: EventStream<Element, Never>

  /// Shares a stream that cannot fail.
  public init(_ stream: some StreamConvertible<Element, Never>) {
    self.stream = stream.stream.share()
  }

  /// Sends the elements to a target, and ends with it.
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

  /// A pulse of what any operators make of the elements; its result is shared too.
  public func through<Output>(
    _ operators: (EventStream<Element, Never>) -> EventStream<Output, Never>
  ) -> Pulse<Output> {
    Pulse<Output>(operators(stream))
  }

  /// A pulse of what the closure makes of each element.
  public func map<Output>(_ transform: @escaping (Element) -> Output) -> Pulse<Output> {
    through { $0.map(transform) }
  }

  /// A pulse of the elements that satisfy a condition.
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Pulse {
    through { $0.filter(isIncluded) }
  }

  /// A pulse that follows the pulse made of the latest element.
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) -> Pulse<Output>
  ) -> Pulse<Output> {
    through { $0.flatMapLatest { transform($0).stream } }
  }
}

extension StreamProtocol {
  /// A driver that ends with a given element where the stream would fail.
  ///
  ///     source                      --1--2--X
  ///     driver(recoveringWith: 9)   --1--2--9|
  ///
  ///     api.search("Jim").driver(recoveringWith: []).drive(results)
  public func driver(recoveringWith element: Element) -> Driver<Element> {
    Driver(recover(with: element))
  }

  /// A pulse that goes on with another stream where the stream would fail.
  ///
  ///     source                            --1--2--X
  ///     pulse(recoveringWith: .just(9))   --1--2--9|
  ///
  ///     api.livePage.pulse(recoveringWith: .just(lastPage)).emit { show($0) }
  public func pulse(recoveringWith fallback: EventStream<Element, Never>) -> Pulse<Element> {
    Pulse(recover(with: fallback))
  }
}

extension StreamProtocol where Failure == Never {
  /// A driver of the elements.
  ///
  ///     name.driver.drive(label.rx.text)
  public var driver: Driver<Element> { Driver(stream) }

  /// A pulse of the elements.
  ///
  ///     taps.pulse.emit { save() }
  public var pulse: Pulse<Element> { Pulse(stream) }
}
