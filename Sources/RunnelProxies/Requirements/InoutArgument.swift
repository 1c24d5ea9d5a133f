/// An `inout` parameter of a proxied method, as the closures of streams receive it.
///
///     field.rDelegate.stream(\.field_willChange) { (push: PushStream<String>, text) in
///       text.value = text.value.uppercased()
///       push.next(text.value)
///     }.observeNext { show($0) }
///
/// The value that a closure sets is passed to `forwardTo` and returned to the caller. A value that
/// is set after the call has no effect.
public final class InoutArgument<Value> {
  /// The current value, which earlier closures may have changed.
  public var value: Value

  /// Creates an argument with the caller's value.
  public init(_ value: Value) {
    self.value = value
  }
}
