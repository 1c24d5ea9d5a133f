import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

/// The server with more clients than descriptors, and with very many clients.
@Suite struct ManyClientsTests {
  private static let hello = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Returns true if the server answers a request on a connection.
  private static func isServed(_ peer: Peer) -> Bool {
    peer.send(hello)
    var answer = ""
    while !answer.hasSuffix("hello") {
      let bytes = peer.receive()
      if bytes.isEmpty { return false }
      answer += String(decoding: bytes, as: UTF8.self)
    }
    return answer.hasPrefix("HTTP/1.1 200 OK\r\n")
  }

  @Test("At the limit of descriptors, known clients are served; afterwards, so are new ones")
  func lackOfDescriptorsIsSurvived() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let server = HTTPFixture(on: loop) { $0.get("/") { _ in "hello" } }
        let known = server.connect()
        guard Self.isServed(known) else { exit(1) }
        // The client sockets are opened before the limit is lowered below their number.
        let clients = (0..<20).map { _ in Peer(unconnectedTo: server.address) }
        let free = (0..<4).map { _ in open("/dev/null", O_RDONLY) }
        for number in free { close(number) }
        var limit = rlimit(rlim_cur: rlim_t((free.max() ?? 0) + 1), rlim_max: 4_096)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        for client in clients { client.connect(to: server.address) }
        while server.use({ $0.connectionCount }) < 3 {}
        for _ in 0..<100 where !Self.isServed(known) { exit(2) }
        guard server.use({ $0.connectionCount }) < 21 else { exit(3) }
        limit.rlim_cur = 4_096
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // Those that have waited are served or were refused, one in each pause.
        guard clients.count(where: Self.isServed) >= 2 else { exit(4) }
        guard Self.isServed(server.connect()) else { exit(5) }
      }
    }
  }

  /// The client of the test below: it opens streams of events, prints a line when all have begun,
  /// and counts those that receive the event. The loopback interface has enough ports for it.
  private static let subscriber = """
    import resource, select, socket, sys
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, count = int(sys.argv[1]), int(sys.argv[2])
    poll, texts, sockets = select.epoll(), {}, {}
    def read(end):
        waiting = set(sockets)
        while waiting:
            for number, _ in poll.poll():
                piece = sockets[number].recv(65536)
                if not piece: sys.exit("A stream has ended.")
                texts[number] += piece
                if end in texts[number]: waiting.discard(number)
    for _ in range(count):
        client = socket.create_connection(("127.0.0.1", port))
        client.sendall(b"GET /events HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
        sockets[client.fileno()], texts[client.fileno()] = client, b""
        poll.register(client, select.EPOLLIN)
    read(b"\\r\\n\\r\\n")
    print("begun", flush=True)
    read(b"data: now\\n\\n")
    print(len(sockets), flush=True)
    """

  @Test("10,000 clients of one stream of events each receive an event, and leave nothing behind")
  func tenThousandSubscribers() async {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let most = limit.rlim_max
    guard most > 11_000 else { return print("Skipped: only \(most) descriptors are allowed.") }
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      await withLoop { loop in
        let events = Confined(PushStream<ServerSentEvent>())
        let server = HTTPFixture(on: loop) { server in
          server.get("/events") { _ in events.value.stream }
        }
        let port = "\(server.address.port ?? 0)"
        withProcessHere(["/usr/bin/python3", "-c", Self.subscriber, port, "10000"]) { client in
          guard client.readLine() == "begun" else { exit(1) }
          loop.wait { events.value.next(ServerSentEvent("now")) }
          guard client.readLine() == "10000", client.wait() == .exit(0) else { exit(2) }
        }
        while server.use({ $0.connectionCount }) > 0 {}
        guard loop.wait(for: { !events.value.isObserved }) else { exit(3) }
      }
    }
  }
}
