import Glibc
import RunnelLoop
import RunnelMQTT
import RunnelStreams
import RunnelTLS
import RunnelTesting
import TestSupport
import Testing

/// A `mosquitto` for one test, on free ports and in a folder of its own. It ends with the test, also when
/// the process of the tests is killed.
///
/// Its methods block. Use it on the thread of ``withBroker(_:_:)``.
struct PrivateBroker {
  /// The ways to it. `secure` ones have a certificate for `localhost`.
  enum Way: String, CaseIterable {
    case tcp, unix, secure, webSocket, secureWebSocket
  }

  let process: Fixture
  let loop: EventLoop
  fileprivate let place: BrokerPlace

  func url(_ way: Way = .tcp, login: String = "") -> String {
    switch way {
    case .tcp: "mqtt://\(login)127.0.0.1:\(place.ports[0])"
    case .unix: "mqtt+unix:\(place.folder["socket"])"
    case .secure: "mqtts://localhost:\(place.ports[1])"
    case .webSocket: "ws://127.0.0.1:\(place.ports[2])/mqtt"
    case .secureWebSocket: "wss://localhost:\(place.ports[3])"
    }
  }

  var port: UInt16 { place.ports[0] }
  var folder: TemporaryFolder { place.folder }

  /// Creates a client on the loop of the test, which is closed at its end. `begin` is called in the same turn.
  func client(
    _ way: Way = .tcp, login: String = "",
    _ change: @escaping @Sendable (inout MQTTOptions) -> Void = { _ in },
    begin: @escaping @Sendable (MQTTClient) -> Void = { _ in }
  ) -> Confined<MQTTClient?> {
    let url = url(way, login: login)
    let root = way == .secure || way == .secureWebSocket ? place.folder["root.pem"] : nil
    return loop.wait { [loop, clients = place.clients] in
      let options = MQTTOptions {
        $0.backoff = Backoff(initial: .milliseconds(20), maximum: .milliseconds(100))
        if let root { $0.tls = try? TLSClientContext(roots: .only(.file(root))) }
        change(&$0)
      }
      let client = Confined<MQTTClient?>(nil)
      do {
        let made = try MQTTClient(url, options: options, on: loop)
        client.value = made
        begin(made)
      } catch {
        Issue.record("\(error)")
      }
      clients.value.append(client)
      return client
    }
  }

  /// Waits until a client is online.
  func waitUntilOnline(_ client: Confined<MQTTClient?>) {
    let log = EventLog<MQTTClient.State>()
    loop.execute { client.value?.state.observeNext { log.add($0) } }
    log.wait { $0.contains(.online) }
  }

  /// Kills the broker, and returns true if the signal has ended it.
  func kill() -> Bool {
    process.send(.kill)
    return process.wait() == .signal(.kill)
  }

  /// Waits until the broker has written its sessions to its file. It needs the setting `autosave_interval 1`.
  func waitUntilSaved() {
    let path = place.folder["mosquitto.db"]
    unlink(path)
    while access(path, F_OK) != 0 { sched_yield() }
  }

  /// Runs a body with another broker at the same place, after this one was killed.
  func withSuccessor<Output>(_ body: (PrivateBroker) -> Output) -> Output? {
    place.run(on: loop, body)
  }

  /// Runs a program of mosquitto with the port of the broker, and returns its lines.
  func run(_ program: String, _ arguments: String...) -> [String] {
    let command =
      untilParentEnds + ["/usr/bin/\(program)", "-h", "127.0.0.1", "-p", "\(port)"]
    return withProcessHere(command + arguments) { process in
      let lines = process.remainingLines()
      #expect(process.wait() == .exit(0))
      return lines
    }
  }
}

/// The ports and the files of a broker.
// Safety: one thread sets the ports, before there is a broker.
private final class BrokerPlace: @unchecked Sendable {
  private(set) var ports: [UInt16] = []
  let folder = TemporaryFolder()
  let clients = Confined<[Confined<MQTTClient?>]>([])
  private let settings: String
  private let isSecure: Bool
  private let network: PrivateNetwork?

  init(_ settings: String, isSecure: Bool, in network: PrivateNetwork?) {
    self.settings = settings
    self.isSecure = isSecure
    self.network = network
    if isSecure { makeCertificates() }
  }

  /// Chooses ports and writes the configuration.
  private func configure() {
    ports = freePorts(4)
    var lines = """
      user root
      persistence true
      persistence_location \(folder.path)/
      allow_anonymous true
      connection_messages false
      log_dest stderr
      log_type information
      max_queued_messages 0
      \(settings.replacing("FOLDER", with: folder.path))
      listener \(ports[0]) 127.0.0.1
      listener 0 \(folder["socket"])
      listener \(ports[2]) 127.0.0.1
      protocol websockets

      """
    if isSecure {
      for (port, kind) in [(ports[1], "mqtt"), (ports[3], "websockets")] {
        lines += """
          listener \(port) 127.0.0.1
          protocol \(kind)
          certfile \(folder["server.pem"])
          keyfile \(folder["server.key"])

          """
      }
    }
    folder.write("mosquitto.conf", lines)
  }

  func run<Output>(on loop: EventLoop, _ body: (PrivateBroker) -> Output) -> Output? {
    let isFirst = ports.isEmpty
    // Another program may have taken a port meanwhile.
    for _ in 0..<10 {
      if isFirst { configure() }
      // It buffers its standard output.
      let start = "exec /usr/sbin/mosquitto -c '\(folder["mosquitto.conf"])' 2>&1"
      var command = untilParentEnds
      if network != nil { command += ["/usr/bin/unshare", "-n"] }
      command += ["/bin/sh", "-c", network.map { "\($0.commands)\n\(start)" } ?? start]
      let output: Output? = withProcessHere(command) { process in
        while let line = process.readLine() {
          guard line.hasSuffix(" running") else { continue }
          return body(PrivateBroker(process: process, loop: loop, place: self))
        }
        return nil
      }
      if let output { return output }
    }
    Issue.record("mosquitto does not start.")
    return nil
  }

  private func makeCertificates() {
    folder.write(
      "make.sh",
      #"""
      cd "$1"
      set -e
      for name in root server; do openssl ecparam -name prime256v1 -genkey -noout -out $name.key; done
      openssl req -x509 -new -key root.key -subj "/CN=Test Root" -days 30 -out root.pem \
        -addext basicConstraints=critical,CA:TRUE
      openssl req -new -key server.key -subj "/CN=localhost" -out server.csr
      echo "subjectAltName=DNS:localhost" > server.ext
      openssl x509 -req -in server.csr -CA root.pem -CAkey root.key -CAcreateserial -days 30 \
        -extfile server.ext -out server.pem
      """#)
    withProcessHere(
      ["/bin/sh", folder["make.sh"], folder.path], environment: ["PATH": "/usr/bin"]
    ) {
      _ = $0.remainingLines()
      #expect($0.wait() == .exit(0))
    }
  }
}

/// Runs the body of a test with a broker and a loop, on a thread that may block. The settings are lines of
/// its configuration, which may name files of its folder after `FOLDER/`. In a network of its own, only its Unix
/// socket can be reached without a further listener.
func withBroker(
  _ settings: String = "", isSecure: Bool = false, in network: PrivateNetwork? = nil,
  files: @escaping @Sendable (TemporaryFolder) -> Void = { _ in },
  _ body: @escaping @Sendable (PrivateBroker) -> Void
) async {
  await ManualContext.onThread { _ in
    let loop = EventLoop(name: "test")
    let place = BrokerPlace(settings, isSecure: isSecure, in: network)
    files(place.folder)
    _ = place.run(on: loop, body)
    loop.wait {
      for client in place.clients.value {
        client.value?.close()
        client.value = nil
      }
    }
    loop.stop()
    loop.join()
  }
}
