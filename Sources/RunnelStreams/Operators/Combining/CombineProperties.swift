extension ReadOnlyProperty {
  /// A property of the values of several properties together.
  ///
  ///     let person = ReadOnlyProperty.combine(name.readOnly, age.readOnly)
  ///     print(person.value.0, person.value.1)  // Jim 33
  ///
  /// *Events*: as ``EventStream/combineLatest(_:_:_:)``. Where two parts are derived from one
  /// property, its change reaches them one after the other, and observers are told twice: first of
  /// the new value beside the old one. Reading ``value`` always gives what belongs together.
  public static func combine<each Part>(
    _ parts: repeat ReadOnlyProperty<each Part>
  ) -> ReadOnlyProperty where Value == (repeat each Part) {
    let sources = CombinedProperties(repeat each parts)
    return ReadOnlyProperty(
      read: { sources.value }, stream: .latest(of: SourcePack(repeat (each parts).stream)))
  }
}

/// The parts of a combined property: packs are kept in an object, since a closure cannot capture one.
private final class CombinedProperties<each Part> {
  private let parts: (repeat ReadOnlyProperty<each Part>)

  init(_ parts: repeat ReadOnlyProperty<each Part>) {
    self.parts = (repeat each parts)
  }

  var value: (repeat each Part) { (repeat (each parts).value) }
}
