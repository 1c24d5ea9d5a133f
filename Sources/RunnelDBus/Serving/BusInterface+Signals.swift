import RunnelStreams

extension BusInterface {
  /// Adds a signal that is sent with the values that the closure writes for each element of a stream.
  public mutating func signal<Element>(
    _ name: String, values: [Argument], _ stream: EventStream<Element, Never>,
    writing: @escaping (Element, BusWriter) throws(BusError) -> Void
  ) {
    check(name, isNew: !signals.contains { $0.name == name })
    let emitter = Emitter(values: values) { send in
      stream.observeNext { element in
        send { writer throws(BusError) in try writing(element, writer) }
      }
    }
    signals.append((name, emitter))
  }

  /// Adds a signal that is sent with each element of a stream.
  public mutating func signal<Value: BusValue>(
    _ name: String, _ valueName: String = "", _ stream: EventStream<Value, Never>
  ) {
    signal(name, values: [Argument(valueName, Value.busType)], stream) {
      value, writer throws(BusError) in try value.write(to: writer)
    }
  }

  /// Adds a signal that is sent with the values of each tuple of a stream, and with their names.
  public mutating func signal<each Value: BusValue>(
    _ name: String, values names: [String], _ stream: EventStream<(repeat each Value), Never>
  ) {
    signal(name, values: Self.arguments(names, (repeat (each Value).self)), stream) {
      tuple, writer throws(BusError) in
      repeat try (each tuple).write(to: writer)
    }
  }

  /// Adds a signal without values that is sent with each element of a stream.
  public mutating func signal(_ name: String, _ stream: EventStream<Void, Never>) {
    signal(name, values: [], stream) { _, _ throws(BusError) in }
  }
}
