extension Property where Value: Equatable {
  /// Keeps two properties equal: this one takes the other's value first, then each follows the
  /// other.
  ///
  ///     editor.text.bindTwoWay(to: note.text)
  ///
  /// *Events*: a change goes across once and is not echoed. If both change while one of them is
  /// delivering a change, both end with the later value; if both are delivering, they end equal. A
  /// value that is unequal to itself, as NaN is, goes across each time it is set.
  ///
  /// *Disposal*: both are held weakly; the binding ends when either is released.
  @discardableResult
  public func bindTwoWay(
    to other: Property, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let binding = observation(at: SourceLocation(file: file, line: line))
    // What counts is the value now, not the one in the event: that may have been overtaken.
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
    // What is unequal to itself would go to and fro for ever. So it is known by where it came from.
    let origin = origin ?? Origin()
    self.origin = origin
    if other.origin !== origin { other.set(mine, from: origin) }
  }
}
