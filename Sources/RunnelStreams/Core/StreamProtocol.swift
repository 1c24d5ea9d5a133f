/// Whatever can be seen as a stream: streams themselves, subjects, properties and traits.
///
/// Operators take their other sources as `some StreamConvertible`, so any of these can be given.
public protocol StreamConvertible<Element, Failure> {
  /// What the stream carries.
  associatedtype Element
  /// How the stream can fail; `Never` where it cannot.
  associatedtype Failure: Error
  /// This value as a stream.
  var stream: EventStream<Element, Failure> { get }
}

/// What the operators are defined on: streams, subjects and properties.
///
/// Traits such as ``Single`` and ``Driver`` are only ``StreamConvertible``: they have operators of
/// their own, which keep their promises, and are left through `stream`.
public protocol StreamProtocol<Element, Failure>: StreamConvertible {}

extension StreamProtocol {
  /// Starts a run of this stream into an observer: how an operator observes its source.
  ///
  /// Nothing happens where the observation is over already: what an operator did before it came to
  /// its source may have disposed it, and then no closure of the source runs (C4).
  @inlinable
  public func start(_ observer: Observer<Element, Failure>) {
    if observer.isActive { stream.run(observer) }
  }
}
