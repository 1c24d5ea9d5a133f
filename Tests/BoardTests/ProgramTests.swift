import Foundation
import RunnelLoop
import RunnelTesting
import TestSupport
import Testing

@testable import Board

/// The program as a process: crashes, signals, sockets of systemd, and the other commands.
@Suite struct ProgramTests {
  /// Runs a server under load until some posts are acknowledged, and ends it with a signal. Returns
  /// the number of requests without an answer.
  private static func run(
    _ name: String, at path: String, _ log: EventLog<Load.Acknowledgement>, ending signal: Signal,
    _ expected: Fixture.Ending
  ) async -> Int {
    let done = EventLog<Int>()
    await ManualContext.onThread { _ in
      let before = log.count
      _ = BoardProgram.serve(["--data", path]) { server, port in
        Task { done.add(await Load.run(name, port: port, into: log)) }
        log.wait(for: before + 60)
        server.send(signal)
        #expect(server.wait() == expected)
        done.wait(for: 1)
      }
    }
    return done.all.first ?? 0
  }

  @Test("No acknowledged post is lost when the server is killed, and none is there twice")
  func killedServerKeepsPosts() async throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let log = EventLog<Load.Acknowledgement>()
    for round in 1...4 {
      _ = await Self.run("round\(round)", at: path, log, ending: .kill, .signal(.kill))
    }
    try check(path, log)
  }

  private func check(_ path: String, _ log: EventLog<Load.Acknowledgement>) throws {
    let stored = try posts(at: path)
    #expect(zip(stored, stored.dropFirst()).allSatisfy { $0.id < $1.id })
    #expect(Set(stored.map(\.text)).count == stored.count)
    let found = Set(stored.map { Load.Acknowledgement(id: $0.id, text: $0.text) })
    #expect(Set(log.all).isSubset(of: found))
    #expect(log.count >= 60)
  }

  @Test("TERM under load answers every request that was sent, and exits with 0")
  func terminationLosesNoRequest() async throws {
    let folder = TemporaryFolder()
    let log = EventLog<Load.Acknowledgement>()
    let unanswered = await Self.run("load", at: folder["posts"], log, ending: .terminate, .exit(0))
    #expect(unanswered == 0)
    try check(folder["posts"], log)
    #expect(try posts(at: folder["posts"]).count == log.count)
  }

  @Test("A stream of events is completed on TERM")
  func terminationEndsStreams() async {
    let folder = TemporaryFolder()
    await ManualContext.onThread { _ in
      _ = BoardProgram.serve(["--data", folder["posts"]]) { server, port in
        let peer = BoardPeer(port: port)
        peer?.send("GET /topics/a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(peer?.readHead()?.hasPrefix("HTTP/1.1 200") == true)
        #expect(BoardPeer(port: port)?.publish("one", in: "a")?.status == 201)
        #expect(peer?.read(to: "\"one\"") != nil)
        server.send(.terminate)
        #expect(peer?.read(to: "\r\n0\r\n\r\n") != nil)
        #expect(server.wait() == .exit(0))
      }
    }
  }

  @Test("HUP reads the configuration again; a fault in it is reported and changes nothing")
  func hangUpReloads() async {
    let folder = TemporaryFolder()
    let file = folder["board.conf"]
    folder.write("board.conf", "token = first-token\n")
    await ManualContext.onThread { _ in
      _ = BoardProgram.serve(["--data", folder["posts"], "--config", file]) { server, port in
        let peer = BoardPeer(port: port)
        func status(_ token: String) -> Int? { peer?.publish("a", token: token)?.status }
        #expect(status("first-token") == 201 && status("second-token") == 401)
        folder.write("board.conf", "token = second-token\n")
        server.send(.hangup)
        #expect(
          server.readLine()?.hasSuffix("info runnel.service: The service was reloaded.") == true)
        #expect(status("first-token") == 401 && status("second-token") == 201)
        folder.write("board.conf", "# fault\ntoken second-token\n")
        server.send(.hangup)
        let fault = "error board: \(file):2: Write a setting as \"name = value\"."
        #expect(server.readLine()?.hasSuffix(fault) == true)
        #expect(status("second-token") == 201)
      }
      // At the start, the fault ends the program.
      withProcessHere(
        [
          "/bin/sh", "-c", "exec \"$0\" --port 0 --data \"$1\" --config \"$2\" 2>&1",
          BoardProgram.path, folder["posts"], file,
        ]
      ) { server in
        let lines = server.remainingLines()
        #expect(lines.count == 1)
        #expect(
          lines.first?.hasSuffix("error board: \(file):2: Write a setting as \"name = value\".")
            == true)
        #expect(server.wait() == .exit(1))
      }
    }
  }

  @Test("Nobody reads the standard error, which is full: Board goes on, and counts")
  func unreadErrorsStopNothing() async {
    let folder = TemporaryFolder()
    let (errors, file) = (folder["errors"], folder["board.conf"])
    folder.write("board.conf", "token = first-token\n")
    #expect(mkfifo(errors, 0o600) == 0)
    // Both ends: nobody reads, and opening the other end does not wait.
    let pipe = open(errors, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    defer { close(pipe) }
    let full = [UInt8](repeating: 0, count: 4_096)
    while write(pipe, full, full.count) > 0 {}
    await ManualContext.onThread { _ in
      let command = "exec \"$0\" --port 0 --data \"$1\" --config \"$2\" 2> \"$3\""
      withProcessHere(
        ["/bin/sh", "-c", command, BoardProgram.path, folder["posts"], file, errors]
      ) { server in
        guard let port = BoardProgram.port(of: server), let peer = BoardPeer(port: port) else {
          Issue.record("The server does not listen.")
          return
        }
        for number in 1...5 {
          folder.write("board.conf", "token = token-number-\(number)\n")
          server.send(.hangup)
          // The configuration is read again soon, although its line of the log is dropped.
          var status: Int?
          repeat {
            status = peer.publish("a", token: "token-number-\(number)")?.status
          } while status == 401
          #expect(status == 201)
        }
        let metrics = peer.answer(to: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")?.body
        let dropped = metrics?.split(separator: "\n").first {
          $0.hasPrefix("runnel_dropped_log_lines_total ")
        }
        #expect(dropped?.split(separator: " ").last.flatMap { Int($0) } ?? 0 > 0)
        server.send(.terminate)
        #expect(server.wait() == .exit(0))
      }
    }
  }

  @Test func unixSocketTakesLines() async {
    let folder = TemporaryFolder()
    let path = folder["lines"]
    await ManualContext.onThread { _ in
      _ = BoardProgram.serve(["--data", folder["posts"], "--unix", path]) { _, _ in
        let lines = "printf 'PUB a one\\nPUB a two' | exec nc -NU \(path)"
        withProcessHere(["/bin/sh", "-c", lines]) { client in
          #expect(client.remainingLines() == ["OK PUB 1", "OK PUB 2"])
        }
        withProcessHere(["/bin/sh", "-c", "exec nc -U \(path)"]) { client in
          client.write("SUB a 1")
          #expect(client.readLine() == "OK SUB a")
          #expect(client.readLine() == "POST a 2 two")
        }
      }
    }
  }

  @Test("A client that sends lines faster than the disk stores them waits, and all are stored")
  func manyLinesAreStored() async {
    let folder = TemporaryFolder()
    let path = folder["lines"]
    await ManualContext.onThread { _ in
      _ = BoardProgram.serve(["--data", folder["posts"], "--unix", path]) { _, _ in
        let lines = "seq 3000 | sed 's/^/PUB a /' | exec nc -NU \(path)"
        withProcessHere(["/bin/sh", "-c", lines]) { client in
          #expect(client.remainingLines() == (1...3_000).map { "OK PUB \($0)" })
        }
      }
    }
  }

  @Test("The program takes the sockets that systemd has opened")
  func activatedSocketsAreUsed() async {
    let folder = TemporaryFolder()
    let path = folder["lines"]
    let script = """
      import os, socket, sys
      web = socket.create_server(("127.0.0.1", 0))
      lines = socket.socket(socket.AF_UNIX)
      lines.bind(sys.argv[3])
      lines.listen()
      a, b = os.dup(web.fileno()), os.dup(lines.fileno())
      os.dup2(a, 3)
      os.dup2(b, 4)
      os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="2")
      os.execv(sys.argv[1], [sys.argv[1], "serve", "--data", sys.argv[2]])
      """
    let command = ["/usr/bin/python3", "-c", script, BoardProgram.path, folder["posts"], path]
    await withProcess(command) { server in
      #expect(server.readLine()?.hasPrefix("Lines at ") == true)
      guard let port = BoardProgram.port(of: server) else {
        Issue.record("The server does not listen.")
        return
      }
      #expect(BoardPeer(port: port)?.publish("one", in: "a")?.status == 201)
      withProcessHere(["/bin/sh", "-c", "echo 'SUB a 0' | exec nc -U \(path)"]) { client in
        #expect(client.readLine() == "OK SUB a")
        #expect(client.readLine() == "POST a 1 one")
      }
    }
  }

  @Test(
    "A watcher goes on when its server is killed and started again, and waits for the first one")
  func watcherSurvivesServer() async {
    let folder = TemporaryFolder()
    let port = "\(BoardProgram.freePort())"
    let options = ["--data", folder["posts"], "--port", port]
    let url = "http://127.0.0.1:\(port)"
    await ManualContext.onThread { _ in
      withProcessHere(
        [BoardProgram.path, "watch", "a", "--after", "0", "--url", url]
      ) { watch in
        for text in ["one", "two", "three"] {
          _ = BoardProgram.serve(options) { server, port in
            #expect(BoardPeer(port: port)?.publish(text, in: "a")?.status == 201)
            #expect(watch.readLine() == text)
            server.send(.kill)
          }
        }
      }
    }
  }

  @Test("A post of one command is printed by another, and faults are explained")
  func commandsTalkToAServer() async {
    let folder = TemporaryFolder()
    let board = BoardProgram.path
    folder.write("board.conf", "token = first-token\n")
    let options = ["--data", folder["posts"], "--config", folder["board.conf"]]
    await ManualContext.onThread { _ in
      _ = BoardProgram.serve(options) { server, port in
        let url = "http://127.0.0.1:\(port)"
        func publish(_ topic: String, _ text: String, _ more: String...) -> (
          [String], Fixture.Ending
        ) {
          let command = "exec \"$0\" publish \"$@\" --url \(url) 2>&1"
          return withProcessHere(["/bin/sh", "-c", command, board, topic, text] + more) {
            ($0.remainingLines(), $0.wait())
          }
        }
        let refused = publish("küche", "Tea!")
        #expect(refused.0.first?.contains("401") == true && refused.1 == .exit(1))
        #expect(publish("küche", "Tea!", "--token", "first-token") == (["1"], .exit(0)))
        #expect(publish("a/b", "Tea!").1 == .exit(1))
        withProcessHere([board, "watch", "küche", "--after", "0", "--url", url]) { watch in
          #expect(watch.readLine() == "Tea!")
          _ = publish("küche", "More tea", "--token", "first-token")
          #expect(watch.readLine() == "More tea")
          watch.send(.interrupt)
          #expect(watch.wait() == .exit(0))
        }
        server.send(.terminate)
        #expect(server.wait() == .exit(0))
        let unreachable = publish("a", "Tea!")
        #expect(unreachable.0.first?.contains("refused") == true && unreachable.1 == .exit(1))
      }
      withProcessHere(["/bin/sh", "-c", "exec \"$0\" --prot 1 2>&1", board]) { program in
        #expect(
          program.remainingLines() == ["board: There is no option --prot. Try board --help."])
        #expect(program.wait() == .exit(2))
      }
      withProcessHere([board, "--help"]) { program in
        #expect(program.remainingLines().first == "Board is a notice board.")
        #expect(program.wait() == .exit(0))
      }
    }
  }
}
