/// The namespace for the reactive members of a type: `textField.rx.text`.
///
/// Extend it for your own types:
///
///     @MainActor extension Reactive where Base: TextField {
///       var isEmpty: ReadOnlyProperty<Bool> { base.text.map { $0.isEmpty } }
///     }
///     print(editor.rx.isEmpty.value)
public struct Reactive<Base> {
  /// The extended object or value.
  public let base: Base

  /// Creates the reactive namespace of a value.
  public init(_ base: Base) {
    self.base = base
  }
}

extension Reactive: Sendable where Base: Sendable {}

/// A type with a reactive namespace, `rx`.
public protocol ReactiveCompatible {}

extension ReactiveCompatible {
  /// The reactive members of this value.
  public var rx: Reactive<Self> { Reactive(self) }
}
