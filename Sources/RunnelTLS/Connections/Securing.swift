import RunnelNet
import RunnelStreams

extension Connection {
  /// Returns an operation that begins TLS as a client, and gives the encrypted connection.
  ///
  ///     connection.tls(context, host: "example.org").observe(
  ///       succeeded: { $0.lines().observe(next: { show($0) }) }, failed: { show($0) })
  ///
  /// The host is the name or IP address for which the certificate of the server must be valid. A
  /// name is also sent to the server, which may have several certificates.
  ///
  /// From the handshake on, use the new connection only: it owns this one. Bytes of the server that
  /// this one has read and not used belong to the handshake. A protocol with `STARTTLS` therefore
  /// reads its answer with `lines().take(1)` and then calls this method.
  ///
  /// *Events*: fails with `SocketError.Cause.security(_:)` if a certificate is not
  /// accepted or the peer does not speak TLS, and with the time limit of the options. The connection
  /// is then closed. After success, an end without `close_notify` fails the observed stream with
  /// `SocketError.Cause.truncated`, because an attacker can cut the connection.
  ///
  /// *Disposal*: ends the handshake and closes the connection.
  public func tls(_ context: TLSClientContext, host: String) -> Single<Connection, SocketError> {
    let endpoint = peer.port.map { Endpoint.tcp(host, port: $0) }
    let address = endpoint.map { "\($0)" } ?? "\(host) at \(peer)"
    return secured(context, address) { handle in
      let slot = handle.sessions.map { SessionSlot($0, server: address) }
      return .client(host: host, verification: context.verification, slot: slot)
    }
  }

  /// Returns an operation that begins TLS as a server, and gives the encrypted connection. All else
  /// is as for ``tls(_:host:)``.
  public func tls(_ context: TLSServerContext) -> Single<Connection, SocketError> {
    secured(context, "\(peer)") { _ in .server }
  }

  private func secured(
    _ context: some TLSContext, _ address: String,
    _ role: @escaping (ContextHandle) -> TLSEngine.Role
  ) -> Single<Connection, SocketError> {
    Single { [self] finish in
      mustBeHome("securing a Connection")
      let handle = context.handle
      guard let engine = TLSEngine(handle, role(handle)) else {
        let cause = SocketError.Cause.security("the host is not a valid name. Check its spelling.")
        finish(.failure(SocketError(.secure, address, cause)))
        return .none
      }
      let handshake = Handshake(of: self, engine, address, finish)
      handshake.begin(limit: handle.handshakeTimeout)
      return Disposable { handshake.cancel() }
    }
  }
}

/// The settings of TLS for one role.
protocol TLSContext {
  var handle: ContextHandle { get }
}

extension TLSClientContext: TLSContext {}
extension TLSServerContext: TLSContext {}

/// A handshake with its time limit.
private final class Handshake {
  private let plain: Connection
  private let address: String
  private var finish: ((Result<Connection, SocketError>) -> Void)?
  private var transport: TLSTransport?
  private let timer: RestartableTimer

  init(
    of plain: Connection, _ engine: TLSEngine, _ address: String,
    _ finish: @escaping (Result<Connection, SocketError>) -> Void
  ) {
    self.plain = plain
    self.address = address
    self.finish = finish
    timer = RestartableTimer(on: plain.core.scheduler)
    transport = TLSTransport(engine, on: plain) { self.end($0) }
  }

  func begin(limit: Duration?) {
    if let limit {
      timer.set(after: limit) { self.fail(.timedOut(.handshake), reset: true) }
    }
    transport?.begin()
  }

  private func end(_ result: Result<Void, SocketError.Cause>) {
    switch result {
    case .success: succeed()
    case .failure(let cause): fail(cause, reset: false)
    }
  }

  private func succeed() {
    guard let transport = transport.take(), let finish = finish.take() else { return }
    timer.tearDown()
    let core = plain.core
    finish(
      .success(
        Connection(
          transport, core.queue.inputOutput, on: core.scheduler, at: plain.home)))
  }

  private func fail(_ cause: SocketError.Cause, reset: Bool) {
    guard let transport = transport.take(), let finish = finish.take() else { return }
    timer.tearDown()
    transport.close(reset: reset)
    finish(.failure(SocketError(.secure, address, cause)))
  }

  /// Ends the handshake if it is not complete.
  func cancel() {
    guard let transport = transport.take() else { return }
    release(finish.take())
    timer.tearDown()
    transport.close(reset: true)
  }
}
