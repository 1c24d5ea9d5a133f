import RunnelStreams

extension BusConnection {
  /// Requests a name on the bus while the stream is observed.
  ///
  ///     bus.name("org.example.Player").observe(next: { print($0) }, failed: { print($0) })
  ///
  /// *Events*: a state when the bus has answered, then each change. Fails if the bus refuses the name.
  /// The loss of the connection sends no state, although the name is lost with it: see
  /// ``BusConnection/state``. After ``reconnect()``, the name is requested again.
  ///
  /// *Disposal*: releases the name. Observe one such stream for a name of a connection.
  public func name(
    _ name: String, _ options: NameOptions = []
  ) -> EventStream<NameState, BusError> {
    EventStream { observer in
      guard NameRules.isService(name), !name.hasPrefix(":") else {
        observer.failed(.invalidName(name))
        return .none
      }
      func signal(_ member: String, _ state: NameState) -> Disposable {
        let filter = SignalFilter(
          member, of: BusDriver.name, at: BusDriver.path, from: BusDriver.name, firstArgument: name)
        return self.handle(filter, { _ in observer.next(state) }, refused: { observer.failed($0) })
      }
      let acquired = signal("NameAcquired", .owned)
      // The bus puts an owner that was replaced into the queue.
      let lost = signal("NameLost", options.contains(.doNotQueue) ? .taken : .queued)
      let request = SerialDisposable()
      let connecting = self.state.stream.observeNext { state in
        guard case .connected = state else { return }
        request.current = self.requestName(name, options).observe(
          succeeded: { if let state = $0 { observer.next(state) } },
          failed: { if $0 != .disconnected { observer.failed($0) } })
      }
      return Disposable {
        for part in [connecting, acquired, lost] { part.dispose() }
        request.dispose()
        if case .connected = self.state.value {
          self.call(.ofBus("ReleaseName"), with: name).observe(failed: { _ in })
        }
      }
    }
  }

  /// Sends nil for a new owner, because the signal `NameAcquired` reports it.
  private func requestName(
    _ name: String, _ options: NameOptions
  ) -> Single<NameState?, BusError> {
    call(.ofBus("RequestName"), with: name, options.rawValue).map { body throws(BusError) in
      switch try body.value(as: UInt32.self) {
      case 2: .queued
      case 3: .taken
      case 4: .owned
      default: nil
      }
    }
  }
}
