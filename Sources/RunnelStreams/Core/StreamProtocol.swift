/// A value that can be used as a stream: a stream, subject, property or trait.
///
/// Operators take their other sources as `some StreamConvertible`, so each of these is accepted.
public protocol StreamConvertible<Element, Failure> {
  /// The type of the elements.
  associatedtype Element
  /// The type of the failure; `Never` if the stream cannot fail.
  associatedtype Failure: Error
  /// This value as a stream.
  var stream: EventStream<Element, Failure> { get }
}

/// A type that has the stream operators: a stream, subject or property.
///
/// Traits such as ``Single`` and ``Driver`` are only ``StreamConvertible``. They have operators of
/// their own, which keep their guarantees; `stream` gives access to all others.
public protocol StreamProtocol<Element, Failure>: StreamConvertible {}

extension StreamProtocol {
  /// Starts a run of this stream that sends to an observer. Operators observe their source with it.
  ///
  /// Does nothing if the observation is over. An operator may have disposed it before it starts its
  /// source, and then no closure of the source may run (C4).
  @inlinable
  public func start(_ observer: Observer<Element, Failure>) {
    if observer.isActive { stream.run(observer) }
  }
}
