/// An `inout` parameter of a proxied method, as its streams' closures get it.
///
///     field.rDelegate.stream(\.field_willChange) { (push: PushStream<String>, text) in
///       text.value = text.value.uppercased()
///       push.next(text.value)
///     }.observeNext { show($0) }
///
/// What the closure sets is what the caller and `forwardTo` get. Set later, it changes nothing.
public final class InoutArgument<Value> {
  /// The value, as the closures before left it.
  public var value: Value

  /// An argument with what the caller gave.
  public init(_ value: Value) {
    self.value = value
  }
}
