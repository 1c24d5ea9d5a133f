extension Property where Value: Equatable {
  /// Keeps two properties equal. This property first takes the value of the other; then each
  /// follows the other.
  ///
  ///     editor.text.bindTwoWay(to: note.text)
  ///
  /// *Events*: a change is copied once and not echoed. If both properties change while one of them
  /// delivers a change, both end with the later value. If both are delivering, they end equal. A
  /// value that is not equal to itself, such as NaN, is copied each time it is set.
  ///
  /// *Disposal*: both properties are held weakly. The binding ends when either is released.
  @discardableResult
  public func bindTwoWay(
    to other: Property, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let binding = observation(at: SourceLocation(file: file, line: line))
    // The current value is copied, not that of the event, which may be outdated.
    let follow = { [weak self, weak other] in
      if let self, let other { other.copyValue(to: self) }
    }
    let lead = { [weak self, weak other] in
      if let self, let other { self.copyValue(to: other) }
    }
    follow()
    other.updates.start(under: binding, next: { _ in follow() }, end: { _ in })
    updates.start(under: binding, next: { _ in lead() }, end: { _ in })
    changes.bindings.add(binding)
    other.changes.bindings.add(binding)
    return binding
  }

  private func copyValue(to other: Property) {
    let mine = value
    guard mine != other.value else { return }
    if mine == mine { return other.value = mine }
    // A value that is not equal to itself would be copied back and forth for ever. It is recognised
    // by its origin instead.
    let origin = origin ?? Origin()
    self.origin = origin
    if other.origin !== origin { other.set(mine, from: origin) }
  }
}
