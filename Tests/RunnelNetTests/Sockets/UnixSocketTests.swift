import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct UnixSocketTests {
  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func listen(at path: String, on loop: EventLoop) -> SocketError.Cause? {
    loop.wait { listeningFailure(at: .unix(path), on: loop) }
  }

  @Test func servesPathAndRemovesFile() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = "\(folder.path)/socket"
      let server = Server(on: loop, at: .unix(path)) { $0.bytes.bind(to: $0.writer) }
      #expect(server.address == .unix(path))
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
      server.use { $0.close() }
      #expect(!exists(path))
      // No other name stays behind, so the folder can be removed.
      #expect(rmdir(folder.path) == 0)
    }
  }

  @Test func servesAbstractName() async {
    await withLoop { loop in
      let name = "runnel test \(getpid())"
      let server = Server(on: loop, at: .abstract(name)) { $0.bytes.bind(to: $0.writer) }
      #expect(server.address == .abstract(name))
      #expect("\(server.address)" == "@\(name)")
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
    }
  }

  @Test func replacesStaleSocket() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = "\(folder.path)/socket"
      var address = Peer.system(.unix(path))
      let stale = runnel_socket(&address, Int32(SOCK_STREAM.rawValue))
      runnel_bind(stale, &address)
      close(stale)
      #expect(exists(path))
      let server = Server(on: loop, at: .unix(path)) { $0.bytes.bind(to: $0.writer) }
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
    }
  }

  @Test func refusesLiveSocketAndOtherFiles() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = "\(folder.path)/socket"
      let server = Server(on: loop, at: .unix(path)) { $0.bytes.bind(to: $0.writer) }
      #expect(listen(at: path, on: loop) == .addressInUse)
      let file = "\(folder.path)/file"
      close(open(file, O_CREAT | O_WRONLY, 0o600))
      #expect(listen(at: file, on: loop) == .notASocket)
      #expect(exists(file))
      // The live one still works.
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
    }
  }

  @Test func setsPermissions() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = "\(folder.path)/socket"
      let server = Server(on: loop, at: .unix(path), { $0.permissions = 0o660 }) { _ in }
      var status = stat()
      lstat(path, &status)
      #expect(status.st_mode & 0o777 == 0o660)
      _ = server
    }
  }

  @Test("Closing does not remove the file of another process")
  func keepsReplacedFile() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = "\(folder.path)/socket"
      let server = Server(on: loop, at: .unix(path)) { _ in }
      unlink(path)
      close(open(path, O_CREAT | O_WRONLY, 0o600))
      server.use { $0.close() }
      #expect(exists(path))
    }
  }

  @Test func invalidPathsAreNamed() async {
    await withLoop { loop in
      #expect(listen(at: "", on: loop) == .invalidPath)
      #expect(listen(at: "/tmp/" + String(repeating: "x", count: 110), on: loop) == .invalidPath)
      #expect(listen(at: "/nowhere/at/all", on: loop) == .noFolder)
    }
  }

  @Test func aPipeIsNoSocket() async {
    await withLoop { loop in
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      let end = ends[0]
      let cause = loop.wait { listeningFailure(at: .descriptor(end), on: loop) }
      #expect(cause == .notASocket)
      for end in ends { close(end) }
    }
  }

  @Test func reportsPeerCredentials() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let log = EventLog<PeerCredentials?>()
      let server = Server(on: loop, at: .unix("\(folder.path)/socket")) {
        log.add($0.peerCredentials)
      }
      let peer = server.connect()
      let credentials = log.wait(for: 1)[0]
      #expect(credentials?.process == getpid())
      #expect(credentials?.user == getuid())
      #expect(credentials?.group == getgid())
      peer.close()
    }
  }

  @Test func passesDescriptors() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let log = EventLog<String>()
      let server = Server(on: loop, at: .unix("\(folder.path)/socket")) { connection in
        connection.passedDescriptors.observe(
          next: { passed in
            guard let number = passed.take() else { return log.add("none") }
            var bytes = [UInt8](repeating: 0, count: 10)
            let count = read(number, &bytes, 10)
            log.add(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
            close(number)
          }, failed: { _ in }, completed: { log.add("completed") })
        connection.lines().observe(next: { log.add($0) }, failed: { _ in })
      }
      let pipe = TestPipe()
      pipe.write("in pipe")
      loop.execute {
        Connection.connect(to: .address(server.address), on: loop).observe(
          succeeded: { connection in
            #expect(connection.pass([pipe.reading], with: Array("line\n".utf8)))
          }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 3) == ["in pipe", "line", "completed"])
    }
  }

  @Test("Descriptors that nobody takes are closed")
  func closesUntakenDescriptors() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let folder = TemporaryFolder()
        let log = EventLog<String>()
        let server = Server(on: loop, at: .unix("\(folder.path)/socket")) { connection in
          connection.passedDescriptors.observeNext { _ in }
          connection.lines().observe(next: { log.add($0) }, failed: { _ in })
        }
        let pipe = TestPipe()
        let sender = Confined<Connection?>(nil)
        loop.execute {
          Connection.connect(to: .address(server.address), on: loop).observe(
            succeeded: {
              sender.value = $0; log.add("open")
            }, failed: { _ in exit(1) })
        }
        log.wait(for: 1)
        server.wait(forConnections: 1)
        let before = loop.wait { openDescriptors }
        loop.execute {
          for _ in 0..<100 {
            _ = sender.value?.pass([pipe.reading, pipe.writing], with: Array("x\n".utf8))
          }
        }
        log.wait(for: 101)
        guard reaches(before, on: loop) else { exit(2) }
      }
    }
  }

  @Test("Disposing a client that is connected at once closes its socket")
  func disposedClientIsClosed() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let ended = EventLog<Void>()
      let server = Server(on: loop, at: .unix(folder["socket"])) { connection in
        connection.closed.observe(completed: { ended.add(()) }, failed: { _ in ended.add(()) })
        connection.bytes.observe(next: { _ in }, failed: { _ in })
      }
      loop.execute {
        Connection.connect(to: .address(server.address), on: loop).observe(
          succeeded: { _ in }, failed: { _ in }
        ).dispose()
      }
      ended.wait(for: 1)
      #expect(server.connectionCount == 0)
    }
  }

  @Test("Clients that are greeted at once get the greeting")
  func greetingIsNotLost() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let other = EventLoop(name: "other")
      let log = EventLog<String>()
      let server = Server(on: other, at: .unix(folder["socket"])) { _ = $0.write("hello\n") }
      let kept = Confined<[Connection]>([])
      loop.execute {
        for _ in 0..<400 {
          Connection.connect(to: .address(server.address), on: loop).observe(
            succeeded: { connection in
              kept.value.append(connection)
              connection.lines().take(1).observe(
                next: { log.add($0) }, failed: { log.add("\($0)") })
            }, failed: { log.add("\($0)") })
        }
      }
      #expect(Set(log.wait(for: 400)) == ["hello"])
      loop.wait { kept.value = [] }
      other.stop()
      other.join()
    }
  }

  @Test func acceptedConnectionHasPathOfListener() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let locals = EventLog<SocketAddress>()
      let server = Server(on: loop, at: .unix(folder["socket"])) { locals.add($0.local) }
      let peer = server.connect()
      #expect(locals.wait(for: 1) == [.unix(folder["socket"])])
      peer.close()
    }
  }
}
