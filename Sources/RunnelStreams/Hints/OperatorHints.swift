// Hints for operators that have other names. See `Unavailable.swift`.

// MARK: - Selecting

extension StreamProtocol {
  /// Combine's form of ``take(_:)``.
  @available(*, unavailable, renamed: "take(_:)")
  public func prefix(_ count: Int) -> EventStream<Element, Failure> { unavailable() }

  /// ReactiveKit's form of ``take(_:)``.
  @available(*, unavailable, renamed: "take(_:)")
  public func prefix(maxLength: Int) -> EventStream<Element, Failure> { unavailable() }

  /// Combine's form of ``take(while:)``.
  @available(*, unavailable, renamed: "take(while:)")
  public func prefix(
    while isIncluded: @escaping (Element) -> Bool
  ) -> EventStream<Element, Failure> { unavailable() }

  /// Combine's form of ``take(until:)``.
  @available(*, unavailable, renamed: "take(until:)")
  public func prefix(
    untilOutputFrom trigger: some StreamConvertible
  ) -> EventStream<Element, Failure> { unavailable() }

  /// RxSwift's earlier form of ``take(until:)``.
  @available(*, unavailable, renamed: "take(until:)")
  public func takeUntil(_ trigger: some StreamConvertible) -> EventStream<Element, Failure> {
    unavailable()
  }

  /// RxSwift's earlier form of ``skip(until:)``.
  @available(*, unavailable, renamed: "skip(until:)")
  public func skipUntil(_ trigger: some StreamConvertible) -> EventStream<Element, Failure> {
    unavailable()
  }

  /// Combine's and ReactiveKit's form of ``skip(_:)``.
  @available(*, unavailable, renamed: "skip(_:)")
  public func dropFirst(_ count: Int = 1) -> EventStream<Element, Failure> { unavailable() }

  /// Combine's form of ``skip(while:)``.
  @available(*, unavailable, renamed: "skip(while:)")
  public func drop(
    while isDropped: @escaping (Element) -> Bool
  ) -> EventStream<Element, Failure> { unavailable() }

  /// Combine's and ReactiveKit's form of ``distinctUntilChanged()``.
  @available(*, unavailable, renamed: "distinctUntilChanged()")
  public func removeDuplicates() -> EventStream<Element, Failure> { unavailable() }

  /// Combine's form of ``distinctUntilChanged(comparing:)``.
  @available(*, unavailable, renamed: "distinctUntilChanged(comparing:)")
  public func removeDuplicates(
    by areEqual: @escaping (Element, Element) -> Bool
  ) -> EventStream<Element, Failure> { unavailable() }

  /// ReactiveKit's form of `compactMap { $0 }`.
  @available(*, unavailable, message: "write compactMap { $0 }")
  public func ignoreNil<Wrapped>() -> EventStream<Wrapped, Failure> where Element == Wrapped? {
    unavailable()
  }
}

// MARK: - Transforming and combining

extension StreamProtocol {
  /// ReactiveKit's form of ``concatMap(_:)``.
  @available(*, unavailable, renamed: "concatMap(_:)")
  public func flatMapConcat<Output>(
    _ transform: @escaping (Element) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> { unavailable() }

  /// ReactiveKit's form of ``flatMap(_:)``.
  @available(*, unavailable, renamed: "flatMap(_:)")
  public func flatMapMerge<Output>(
    _ transform: @escaping (Element) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> { unavailable() }

  /// Combine's and ReactiveKit's form of ``switchLatest()``.
  @available(*, unavailable, renamed: "switchLatest()")
  public func switchToLatest<Output>() -> EventStream<Output, Failure>
  where Element == EventStream<Output, Failure> { unavailable() }

  /// Combine's form of ``map(_:)``, whose closure may throw.
  @available(*, unavailable, renamed: "map(_:)")
  public func tryMap<Output>(
    _ transform: @escaping (Element) throws -> Output
  ) -> EventStream<Output, any Error> { unavailable() }

  /// Combine's and ReactiveKit's form of ``startWith(_:)``.
  @available(*, unavailable, renamed: "startWith(_:)")
  public func prepend(_ elements: Element...) -> EventStream<Element, Failure> { unavailable() }

  /// RxSwift's form of ``append(_:)``.
  @available(*, unavailable, renamed: "append(_:)")
  public func concat(
    _ next: some StreamConvertible<Element, Failure>
  ) -> EventStream<Element, Failure> { unavailable() }

  /// ReactiveKit's form of `withLatestFrom`.
  @available(*, unavailable, renamed: "withLatestFrom(_:)")
  public func with<Other>(
    latestFrom other: some StreamConvertible<Other, Failure>
  ) -> EventStream<(Element, Other), Failure> { unavailable() }

  /// Combine's and ReactiveKit's form of ``toArray()``.
  @available(*, unavailable, renamed: "toArray()")
  public func collect() -> EventStream<[Element], Failure> { unavailable() }
}

// MARK: - Result selectors

extension StreamProtocol {
  /// RxSwift's form of `combineLatest` with a closure.
  @available(*, unavailable, message: "write combineLatest(other).map { }")
  public func combineLatest<Other, Output>(
    _ other: some StreamConvertible<Other, Failure>,
    resultSelector: @escaping (Element, Other) -> Output
  ) -> EventStream<Output, Failure> { unavailable() }

  /// RxSwift's form of `zip` with a closure.
  @available(*, unavailable, message: "write zip(other).map { }")
  public func zip<Other, Output>(
    _ other: some StreamConvertible<Other, Failure>,
    resultSelector: @escaping (Element, Other) -> Output
  ) -> EventStream<Output, Failure> { unavailable() }

  /// RxSwift's form of `withLatestFrom` with a closure.
  @available(*, unavailable, message: "write withLatestFrom(other).map { }")
  public func withLatestFrom<Other, Output>(
    _ other: some StreamConvertible<Other, Failure>,
    resultSelector: @escaping (Element, Other) -> Output
  ) -> EventStream<Output, Failure> { unavailable() }
}

extension EventStream {
  /// RxSwift's form of `combineLatest` with a closure.
  @available(*, unavailable, message: "write EventStream.combineLatest(first, second).map { }")
  public static func combineLatest<First, Second>(
    _ first: some StreamConvertible<First, Failure>,
    _ second: some StreamConvertible<Second, Failure>,
    resultSelector: @escaping (First, Second) -> Element
  ) -> EventStream { unavailable() }

  /// RxSwift's form of `zip` with a closure.
  @available(*, unavailable, message: "write EventStream.zip(first, second).map { }")
  public static func zip<First, Second>(
    _ first: some StreamConvertible<First, Failure>,
    _ second: some StreamConvertible<Second, Failure>,
    resultSelector: @escaping (First, Second) -> Element
  ) -> EventStream { unavailable() }
}

// MARK: - Effects and sharing

extension StreamProtocol {
  /// A form of ``do(observed:next:afterNext:failed:completed:disposed:)`` in other libraries.
  @available(*, unavailable, renamed: "do(next:)")
  public func tap(_ action: @escaping (Element) -> Void) -> EventStream<Element, Failure> {
    unavailable()
  }

  /// Combine's form of ``do(observed:next:afterNext:failed:completed:disposed:)``.
  @available(*, unavailable, message: "write do(observed:next:failed:completed:disposed:)")
  public func handleEvents(
    receiveSubscription: ((Disposable) -> Void)? = nil,
    receiveOutput: ((Element) -> Void)? = nil,
    receiveCompletion: ((ForeignCompletion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil
  ) -> EventStream<Element, Failure> { unavailable() }

  /// RxSwift's earlier form of ``share(replay:scope:)``.
  @available(*, unavailable, renamed: "share(replay:)")
  public func shareReplay(_ count: Int = 1) -> EventStream<Element, Failure> { unavailable() }

  /// Combine's form of ``publish()``.
  @available(*, unavailable, renamed: "publish()")
  public func makeConnectable() -> Connectable<Element, Failure> { unavailable() }
}
