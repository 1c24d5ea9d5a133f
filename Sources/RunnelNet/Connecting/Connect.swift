import RunnelLoop
import RunnelStreams

extension Connection {
  /// Returns an operation that connects to an endpoint.
  ///
  ///     Connection.connect(to: .tcp("example.org", port: 80), on: loop).observe(
  ///       succeeded: { show($0.peer) }, failed: { show($0) })
  ///
  /// A name is resolved in IPv6 and IPv4, and its addresses are tried as RFC 8305 describes: the
  /// next one after 250 ms, or when the one before has failed. The first to connect wins.
  ///
  /// *Events*: fails with the error of the last attempt, or when the time limit of the options is
  /// reached.
  ///
  /// *Disposal*: cancels all attempts.
  public static func connect(
    to endpoint: Endpoint, options: ConnectionOptions = ConnectionOptions(),
    on network: some Network
  ) -> Single<Connection, SocketError> {
    let system = network.functions.system
    return Single { finish in
      let attempt = Disposable()
      let done: (Result<any Transport, SocketError>) -> Void = { result in
        guard !attempt.isDisposed else { return }
        attempt.dispose()
        switch result {
        case .success(let transport): finish(.success(system.connection(transport)))
        case .failure(let error): finish(.failure(error))
        }
      }
      let fail: (SocketError.Operation, SocketError.Cause) -> Void = {
        done(.failure(SocketError($0, "\(endpoint)", $1)))
      }
      let connectDirectly: (SocketAddress) -> Void = { address in
        attempt.add(
          system.connect(to: address, options) { result in
            switch result {
            case .success(let transport): done(.success(transport))
            case .failure(let cause): fail(.connect, cause)
            }
          })
      }
      if let timeout = options.timeout {
        attempt.add(
          system.scheduler.schedule(after: timeout) { fail(.connect, .timedOut(.connecting)) })
      }
      switch endpoint {
      case .tcp("*", _): fail(.connect, .unsuitable)
      case .tcp(let host, let port):
        if let address = SocketAddress(host, port: port) {
          connectDirectly(address)
        } else {
          let race = ConnectionRace(host, port: port, options, system) { result in
            switch result {
            case .success(let transport): done(.success(transport))
            case .failure(let error): fail(error.operation, error.cause)
            }
          }
          attempt.add(race)
          race.begin()
        }
      case .unix(let path): connectDirectly(.unix(path))
      case .abstract(let name): connectDirectly(.abstract(name))
      case .address(let address): connectDirectly(address)
      case .descriptor(let number):
        do throws(SocketError) {
          done(.success(try system.adopt(number)))
        } catch {
          done(.failure(error))
        }
      case .udp: fail(.connect, .unsuitable)
      }
      return attempt
    }
  }
}
