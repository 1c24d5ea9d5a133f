import RunnelNet
import RunnelStreams

/// A listener of a ``TestNetwork``.
final class TestListener: ListeningTransport {
  let address: SocketAddress
  private let network: TestNetwork
  private let backlog: Int
  private var waiting: [TestTransport] = []
  private var action: (() -> Void)?
  private var isClosed = false

  init(_ address: SocketAddress, backlog: Int, on network: TestNetwork) {
    self.address = address
    self.backlog = backlog
    self.network = network
  }

  var hasRoom: Bool { !isClosed && waiting.count < backlog }

  func add(_ transport: TestTransport) {
    waiting.append(transport)
    tell()
  }

  /// Reports waiting connections until none is left, as a socket does.
  private func tell() {
    _ = network.schedule(after: .zero) { [weak self] in
      guard let self, let action, !waiting.isEmpty else { return }
      action()
      if !waiting.isEmpty { tell() }
    }
  }

  func startAccepting(_ action: @escaping () -> Void) throws(SocketError) {
    guard self.action == nil else { return }
    self.action = action
    tell()
  }

  func stopAccepting() {
    action = nil
  }

  func accept() throws(SocketError) -> (any Transport)? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  func refuse() {
    if !waiting.isEmpty { waiting.removeFirst().close(reset: true) }
  }

  func close() {
    isClosed = true
    action = nil
    network.close(self)
    for transport in exchange(&waiting, with: []) { transport.close(reset: true) }
  }
}
