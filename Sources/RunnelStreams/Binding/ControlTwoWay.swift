extension ControlProperty where Value: Equatable {
  /// Keeps a property of a control equal to a ``Property``. The control first takes the value of the
  /// property; then each follows the other.
  ///
  ///     @MainActor extension Reactive where Base: Slider {
  ///       var value: ControlProperty<Double> {
  ///         ControlProperty(of: base, values: base.position) { $0.position.value = $1 }
  ///       }
  ///     }
  ///     let volume = Property(0.5)
  ///     let slider = Slider()
  ///     slider.rx.value.bindTwoWay(to: volume)
  ///
  /// *Events*: a change by the user is copied to the property once. If an observer of the property
  /// then sets another value, the control shows that value.
  ///
  /// *Disposal*: the control and the property are held weakly. The binding ends when either is
  /// released.
  @discardableResult
  public func bindTwoWay(
    to property: Property<Value>, file: StaticString = #fileID, line: UInt = #line
  ) -> Disposable {
    let binding = observation(at: SourceLocation(file: file, line: line))
    let sink = sink
    // The current value is copied, not that of the event, which may be outdated.
    let follow = { [weak property] in
      if let property { sink.send(property.value) }
    }
    follow()
    property.updates.start(under: binding, next: { _ in follow() }, end: { _ in })
    changed.start(
      under: binding,
      next: { [weak property] value in
        if let property, property.value != value { property.value = value }
      }, end: { _ in binding.dispose() })
    property.changes.bindings.add(binding)
    return binding
  }
}
