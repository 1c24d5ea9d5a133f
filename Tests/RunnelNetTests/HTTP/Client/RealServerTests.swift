import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelNet

/// The client with servers that are not made with Runnel.
@Suite struct RealServerTests {
  private static let environment = ["PATH": "/usr/bin:/bin"]

  /// Runs a Python script that prints a line, and gives the line and a client's loop to a body.
  private func withScript(
    _ script: String, _ body: @escaping @Sendable (EventLoop, String) -> Void
  ) async {
    await withLoop { loop in
      withProcessHere(
        ["/usr/bin/python3", "-u", "-c", script], environment: Self.environment
      ) { process in
        body(loop, process.readLine() ?? "")
      }
    }
  }

  /// Requests URLs, one after the other, and returns the bodies or errors.
  private func results(_ urls: [String], on loop: EventLoop) -> [String] {
    let log = EventLog<String>()
    loop.execute {
      let client = HTTPClient(on: loop)
      client.proxies = HTTPProxies()
      request(urls[...], client, log)
    }
    return log.wait(for: urls.count)
  }

  @Test func pythonServesFiles() async {
    let folder = TemporaryFolder()
    folder.write("a.txt", "hello")
    folder.write("long.bin", String(repeating: "x", count: 5_000_000))
    let script = """
      import http.server, os
      os.chdir("\(folder.path)")
      class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *arguments): pass
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_address[1])
      server.serve_forever()
      """
    await withScript(script) { loop, port in
      let base = "http://127.0.0.1:\(port)"
      let results = results(
        ["/a.txt", "/a.txt", "/none", "/long.bin", "/a.txt"].map { base + $0 }, on: loop)
      #expect(results[0] == "hello")
      #expect(results[1] == "hello")
      #expect(results[2].hasPrefix("status 404"))
      #expect(results[3] == String(repeating: "x", count: 5_000_000))
      #expect(results[4] == "hello")
    }
  }

  @Test("Servers that misbehave cause errors, and never a hang")
  func misbehavingServers() async {
    let script = """
      import socket, struct, threading, time
      ok = b"HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\n"
      def head(c):
        text = b""
        while b"\\r\\n\\r\\n" not in text:
          piece = c.recv(65536)
          if not piece: return False
          text += piece
        return True
      def closes(c): pass
      def resets(c):
        head(c)
        c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
      def two(c):
        while head(c): c.sendall(ok + b"a" + ok + b"b")
      def huge(c):
        head(c)
        c.sendall(b"HTTP/1.1 200 OK\\r\\nA: ")
        while True: c.sendall(b"b" * 65536)
      def short(c):
        head(c)
        c.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nabc")
      def slow(c):
        while head(c):
          for byte in ok + b"s": c.sendall(bytes([byte])); time.sleep(0.001)
      def early(c):
        c.sendall(ok + b"e")
        head(c)
      def serve(s, handle):
        while True:
          c, _ = s.accept()
          def run(c=c):
            try: handle(c)
            except OSError: pass
            c.close()
          threading.Thread(target=run, daemon=True).start()
      ports = []
      for handle in [closes, resets, two, huge, short, slow, early]:
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        s.listen()
        ports.append(str(s.getsockname()[1]))
        threading.Thread(target=serve, args=(s, handle), daemon=True).start()
      print(" ".join(ports))
      threading.Event().wait()
      """
    await withScript(script) { loop, line in
      let ports = line.split(separator: " ")
      func results(_ index: Int, count: Int = 2) -> [String] {
        self.results(
          Array(repeating: "http://127.0.0.1:\(ports[index])/", count: count), on: loop)
      }
      for result in results(0) {
        #expect(["disconnected", "connection the peer has reset the connection."].contains(result))
      }
      for result in results(1) {
        #expect(result == "connection the peer has reset the connection.")
      }
      #expect(results(2, count: 10) == Array(repeating: "a", count: 10))
      for result in results(3) { #expect(result == "malformed the headers are too large") }
      for result in results(4) {
        #expect(result == "responseBody The connection ended before the body was complete.")
      }
      #expect(results(5, count: 3) == ["s", "s", "s"])
      // The response may be read before or after the request is written.
      for result in results(6) {
        #expect(["e", "malformed a response before the request"].contains(result))
      }
    }
  }
}

/// Requests URLs one after the other.
private func request(_ urls: ArraySlice<String>, _ client: HTTPClient, _ log: EventLog<String>) {
  guard let url = urls.first else { return }
  client.get(url).text().observe(
    succeeded: {
      log.add($0)
      request(urls.dropFirst(), client, log)
    },
    failed: {
      log.add($0.brief)
      request(urls.dropFirst(), client, log)
    })
}
