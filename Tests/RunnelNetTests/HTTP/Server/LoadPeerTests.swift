import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The server under the load of real programs, and behind a real proxy.
@Suite struct LoadPeerTests {
  @Test(.enabled(if: isInstalled("wrk"))) func loadOfWrkIsAnswered() async {
    await withLoop { loop in
      let server = HTTPFixture(on: loop) { $0.get("/") { _ in "hello" } }
      let report = shell("wrk -t 1 -c 64 -d 1s \(server.url("/"))")
      #expect(report.contains("Requests/sec:"))
      #expect(!report.contains("Socket errors") && !report.contains("Non-2xx"))
    }
  }

  @Test(
    "Slow clients are refused in time, while others are served",
    .enabled(if: isInstalled("slowhttptest")), arguments: ["-H", "-B"])
  func slowClientsAreRefused(kind: String) async {
    await withLoop { loop in
      let server = HTTPFixture(on: loop) { server in
        server.timeLimits.head = .seconds(2)
        server.get("/") { _ in "hello" }
        server.post("/") { $0.body.text() }
      }
      // 300 connections that send some bytes each second, for 4 seconds.
      let done = EventLog<String>()
      let attack = startThread {
        let verb = kind == "-B" ? "-t POST -s 100000" : ""
        done.add(
          shell("slowhttptest -c 300 -r 300 -i 1 -l 4 \(kind) \(verb) -u \(server.url("/")) 2>&1"))
      }
      while server.use({ $0.connectionCount }) < 200 && done.count == 0 {}
      for _ in 0..<50 { #expect(shell("curl -s --max-time 5 \(server.url("/"))") == "hello") }
      pthread_join(attack, nil)
      #expect(done.all.first?.contains("slowhttptest") == true)
      while server.use({ $0.connectionCount }) > 0 {}
    }
  }

  @Test(
    "nginx in front passes requests, bodies and events on, and keeps its connections",
    .enabled(if: isInstalled("nginx")))
  func nginxIsInFront() async {
    await withLoop { loop in
      let peers = EventLog<String>()
      let events = Confined(PushStream<ServerSentEvent>())
      let server = HTTPFixture(on: loop) { server in
        server.use { request, next in
          peers.add(request.peer.map { "\($0)" } ?? "none")
          return next(request)
        }
        server.get("/hello") { $0.headers["X-Forwarded-For"] ?? "nobody" }
        server.post("/echo") { HTTPBody($0.body.stream) }
        server.get("/events") { _ in events.value.stream }
      }
      let folder = TemporaryFolder()
      folder.write(
        "nginx.conf",
        """
        worker_processes 1; daemon off; pid \(folder.path)/pid; error_log stderr crit; user root;
        events { worker_connections 64; }
        http {
          access_log off; client_body_temp_path \(folder.path)/b; proxy_temp_path \(folder.path)/p;
          fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u;
          scgi_temp_path \(folder.path)/s;
          upstream runnel { server \(server.address); keepalive 4; }
          server {
            listen unix:\(folder.path)/front;
            location / {
              proxy_pass http://runnel; proxy_http_version 1.1; proxy_set_header Connection "";
              proxy_set_header X-Forwarded-For 192.0.2.7; proxy_request_buffering off;
            }
          }
        }
        """)
      let words = ["nginx", "-p", folder.path, "-c", "\(folder.path)/nginx.conf"]
      var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
      arguments.append(nil)
      var nginx: pid_t = 0
      let status = posix_spawnp(&nginx, "nginx", nil, nil, arguments, environ)
      for argument in arguments { free(argument) }
      guard status == 0 else {
        Issue.record("nginx does not start: \(String(cString: strerror(status)))")
        return
      }
      defer {
        kill(nginx, SIGTERM)
        waitpid(nginx, nil, 0)
      }
      let front: SocketAddress = .unix("\(folder.path)/front")
      var first: Peer?
      while first == nil {
        first = Peer(attempting: front)
        // It has not begun to listen yet, unless it has ended.
        guard waitpid(nginx, nil, WNOHANG) == 0 else {
          Issue.record("nginx has ended.")
          return
        }
      }
      let curl = "curl -s --max-time 20 --unix-socket \(folder.path)/front"
      for _ in 0..<5 { #expect(shell("\(curl) http://a/hello") == "192.0.2.7") }
      #expect(Set(peers.all).count == 1)
      #expect(
        shell("head -c 300000 /dev/zero | \(curl) -T - -X POST http://a/echo | wc -c")
          .contains("300000"))
      first?.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
      while server.use({ _ in events.value.isObserved }) == false {}
      loop.wait { events.value.next(ServerSentEvent("now")) }
      var text = ""
      while !text.contains("data: now\n\n"), let bytes = first?.receive(), !bytes.isEmpty {
        text += String(decoding: bytes, as: UTF8.self)
      }
      #expect(text.contains("data: now\n\n"))
      first?.close()
      // nginx closes its connection to the server, which ends the stream.
      while server.use({ _ in events.value.isObserved }) {}
    }
  }
}

/// True if a program is on the PATH. A web server is not installed for tests, because its package
/// would start it.
private func isInstalled(_ program: String) -> Bool {
  shell("command -v \(program)").contains(program)
}
