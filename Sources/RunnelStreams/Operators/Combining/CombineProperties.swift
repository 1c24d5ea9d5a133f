extension ReadOnlyProperty {
  /// Combines several properties into a property of a tuple.
  ///
  ///     let person = ReadOnlyProperty.combine(name.readOnly, age.readOnly)
  ///     print(person.value.0, person.value.1)  // Jim 33
  ///
  /// *Events*: as `EventStream.combineLatest(_:_:_:)`. If two parts are derived from one
  /// property, each of its changes reaches the parts one after the other, and observers receive two
  /// events. The first one combines a new value with an old one. Reading ``value`` always returns
  /// consistent parts.
  @inlinable
  public static func combine<each Part>(
    _ parts: repeat ReadOnlyProperty<each Part>
  ) -> ReadOnlyProperty where Value == (repeat each Part) {
    let sources = CombinedProperties(repeat each parts)
    return ReadOnlyProperty(
      read: { sources.value }, stream: .latest(of: SourcePack(repeat (each parts).stream)))
  }
}

/// The parts of a combined property. An object stores the pack, because a closure cannot capture
/// one.
@usableFromInline
final class CombinedProperties<each Part> {
  @usableFromInline let parts: (repeat ReadOnlyProperty<each Part>)

  @inlinable
  init(_ parts: repeat ReadOnlyProperty<each Part>) {
    self.parts = (repeat each parts)
  }

  @inlinable
  var value: (repeat each Part) { (repeat (each parts).value) }
}
