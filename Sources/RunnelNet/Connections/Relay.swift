import RunnelLoop
import RunnelStreams

extension Connection {
  /// Passes bytes between this connection and another one in both directions: a proxy.
  ///
  ///     server.connections.observeNext { client in
  ///       Connection.connect(to: .tcp("127.0.0.1", port: 80), on: loop).observe(
  ///         succeeded: { client.relay(to: $0) }, failed: { show($0) })
  ///     }
  ///
  /// Each direction pauses while the other connection's writer is full. If one peer finishes, the
  /// other one sees that and can still send; if a connection fails, the other one is reset.
  ///
  /// *Disposal*: stops passing bytes. Neither connection is closed by that unless it is released.
  /// Until then, the relay retains both.
  @discardableResult
  public func relay(to other: Connection) -> Disposable {
    mustBeHome("relaying a Connection")
    let relay = Disposable()
    staysOpenAfterEnd = true
    other.staysOpenAfterEnd = true
    for (source, target) in [(self, other), (other, self)] {
      let reader = RelayReader(from: source, to: target, while: relay)
      relay.add(reader)
      source.core.closed.start(
        under: relay, next: { _ in },
        end: { [weak target] end in
          if case .failed = end { target?.reset() }
        })
      source.inlet.begin(reader)
    }
    return relay
  }
}

/// Passes the bytes of one connection to another one.
private final class RelayReader: InputConsumer, Teardown {
  private var source: Connection?
  private var target: Connection?
  private let relay: Disposable

  init(from source: Connection, to target: Connection, while relay: Disposable) {
    self.source = source
    self.target = target
    self.relay = relay
  }

  var isActive: Bool { source != nil }
  var wantsMore: Bool { source != nil }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    // The peer of the target may have stopped reading.
    if let target, !target.core.queue.write(raw: bytes) { source?.reset() }
    return bytes.count
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    let target = target
    switch termination {
    case .completed: target?.finish()
    case .failed: target?.reset()
    }
    release()
  }

  func tearDown() {
    source?.inlet.stop(self)
    release()
  }

  private func release() {
    source = nil
    target = nil
  }
}
