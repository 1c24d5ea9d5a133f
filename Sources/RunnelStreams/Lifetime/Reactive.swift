/// Where the reactive side of a type is found: `textField.rx.text`.
///
/// Extend it for your own types:
///
///     @MainActor extension Reactive where Base: TextField {
///       var isEmpty: ReadOnlyProperty<Bool> { base.text.map { $0.isEmpty } }
///     }
///     print(editor.rx.isEmpty.value)
public struct Reactive<Base> {
  /// The object or value that was extended.
  public let base: Base

  /// The reactive side of a value.
  public init(_ base: Base) {
    self.base = base
  }
}

extension Reactive: Sendable where Base: Sendable {}

/// A type that has a reactive side, `rx`.
public protocol ReactiveCompatible {}

extension ReactiveCompatible {
  /// The reactive side.
  public var rx: Reactive<Self> { Reactive(self) }
}
