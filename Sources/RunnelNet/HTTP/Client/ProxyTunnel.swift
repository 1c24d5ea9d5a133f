import RunnelLoop
import RunnelStreams

/// Asks a proxy for a tunnel to a server.
final class ProxyTunnel: InputConsumer {
  private let connection: Connection
  private var parser: ResponseParser
  private var finish: ((Result<Connection, HTTPClientError>) -> Void)?
  private let timer: RestartableTimer
  private var interimCount = 0

  /// The largest number of interim responses.
  private static let mostInterim = 16

  /// Returns an operation that opens a tunnel. Disposing it closes the connection.
  static func open(
    on connection: Connection, to authority: String, _ proxy: HTTPProxy, _ settings: ClientSettings
  ) -> Single<Connection, HTTPClientError> {
    Single { finish in
      let tunnel = ProxyTunnel(connection, settings, finish)
      tunnel.begin(
        RequestHead(tunnelTo: authority, proxyAuthorization: proxy.authorization),
        within: settings.timeLimits.head)
      return Disposable { tunnel.cancel() }
    }
  }

  private init(
    _ connection: Connection, _ settings: ClientSettings,
    _ finish: @escaping (Result<Connection, HTTPClientError>) -> Void
  ) {
    self.connection = connection
    self.finish = finish
    parser = ResponseParser(settings.limits)
    timer = RestartableTimer(on: connection.core.scheduler)
  }

  deinit {
    parser.deallocate()
  }

  private func begin(_ head: RequestHead, within limit: Duration?) {
    if let limit { timer.set(after: limit) { [weak self] in self?.fail(.timedOut(.head)) } }
    connection.inlet.begin(self)
    _ = connection.write(head.bytes)
  }

  var isActive: Bool { finish != nil }
  var wantsMore: Bool { finish != nil }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    var used = 0
    do throws(HTTPParseError) {
      while isActive {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
        guard let head = try parser.parse(rest) else { break }
        used += head.count
        if head.status.isSuccess {
          succeed()
        } else if head.status.code >= 200 || head.status.code == 101 {
          fail(.proxy(head.status))
        } else {
          interimCount += 1
          if interimCount > Self.mostInterim { throw .malformed("too many interim responses") }
        }
      }
    } catch {
      fail(.malformed("\(error)"))
    }
    return used
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    switch termination {
    case .completed: fail(.disconnected)
    case .failed(let error): fail(.connection(error))
    }
  }

  private func succeed() {
    guard let finish = finish.take() else { return }
    timer.tearDown()
    connection.inlet.stop(self)
    finish(.success(connection))
  }

  private func fail(_ error: HTTPClientError) {
    guard let finish = finish.take() else { return }
    close()
    finish(.failure(error))
  }

  private func cancel() {
    guard let finish = finish.take() else { return }
    close()
    release(finish)
  }

  private func close() {
    timer.tearDown()
    connection.inlet.stop(self)
    connection.reset()
  }
}
