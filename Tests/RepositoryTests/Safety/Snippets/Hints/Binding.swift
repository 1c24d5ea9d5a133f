import RunnelStreams

private enum LoadError: Error {
  case offline
}

@MainActor private final class Bar {
  var fraction = 0.0
}

@MainActor private func bind(
  _ progress: EventStream<Double, LoadError>, _ values: EventStream<Double, Never>,
  _ property: Property<Double>, _ bar: Bar, _ control: ControlProperty<Double>
) {
  // expect: 'bind(to:file:line:)' is unavailable: the stream can fail: add recover(with:) or
  //   ignoreFailure() before it
  progress.bind(to: property)
  // expect: 'bind(to:file:line:)' is unavailable: the stream can fail: add recover(with:) or
  //   ignoreFailure() before it
  progress.map { $0 * 2 }.filter { $0 < 1 }.bind(to: property)
  // expect: 'bind(to:_:file:line:)' is unavailable: the stream can fail: add recover(with:) or
  //   ignoreFailure() before it
  progress.bind(to: bar, \.fraction)
  // expect: 'bind(to:file:line:)' is unavailable: the target takes another type: convert the elements
  //   with map { }
  values.map { "\($0)" }.bind(to: property)
  // expect: 'bind(onNext:)' has been renamed to 'observeNext(_:)'
  values.bind { print($0) }
  // expect: 'bind(onNext:)' has been renamed to 'observeNext(_:)'
  values.bind(onNext: { print($0) })
  // expect: 'bindTo' has been renamed to 'bind(to:)'
  values.bindTo(property)
  // expect: 'assign(to:on:)' is unavailable: write bind(to: object, \.property)
  values.assign(to: \.fraction, on: bar)
  // expect: 'bidirectionalBind(to:)' has been renamed to 'bindTwoWay(to:)'
  property.bidirectionalBind(to: property)
  // expect: 'bindTwoWay(to:)' is unavailable: write the control first, which takes the value:
  //   field.rx.text.bindTwoWay(to: name)
  property.bindTwoWay(to: control)
  // expect: 'driver' is unavailable: the stream can fail: write driver(recoveringWith:)
  progress.driver.drive(property)
  // expect: 'pulse' is unavailable: the stream can fail: write pulse(recoveringWith:)
  progress.pulse.emit(to: property)
  // expect: 'asDriver()' is unavailable: write driver, or driver(recoveringWith:)
  values.asDriver().drive(property)
  // expect: 'asDriver(onErrorJustReturn:)' has been renamed to 'driver(recoveringWith:)'
  progress.asDriver(onErrorJustReturn: 0).drive(property)
  // expect: 'asSignal()' is unavailable: write pulse, or pulse(recoveringWith:)
  values.asSignal().emit(to: property)
}
