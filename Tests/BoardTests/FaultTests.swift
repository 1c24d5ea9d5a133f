import Glibc
import RunnelTesting
import TestSupport
import Testing

@testable import Board

/// Faults of the file of a server under load, by other programs or a bad disk. A hundred runs of each with
/// `RUNNEL_CASES=50`.
@Suite struct FaultTests {
  enum Fault: CaseIterable { case removal, replacement, truncation, flippedBit }

  @Test(
    "Each acknowledged post is there, or its loss is named. No number is used twice, and no reader waits in vain",
    arguments: Fault.allCases, seeds(2) as Range<UInt64>)
  func lossIsNamed(_ fault: Fault, _ seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let log = EventLog<Load.Acknowledgement>()
    let before = Int.random(in: 20...200, using: &generator)
    let place = Double.random(in: 0..<1, using: &generator)
    let bit = UInt8.random(in: 0..<8, using: &generator)
    let isKilled = Bool.random(using: &generator)
    await ManualContext.onThread { _ in
      let ended = EventLog<Int>()
      _ = BoardProgram.serve(["--data", path]) { server, port in
        Task { ended.add(await Load.run("load", port: port, into: log)) }
        log.wait(for: before / 2)
        if fault == .replacement { Self.copy(path, to: folder["copy"]) }
        log.wait(for: before)
        switch fault {
        case .removal: unlink(path)
        case .replacement: rename(folder["copy"], path)
        case .truncation: truncate(path, Int(place * Double(Self.size(of: path))))
        case .flippedBit: Self.flip(bit, at: Int(place * Double(Self.size(of: path))), of: path)
        }
        if fault == .flippedBit {
          log.wait(for: log.count + 20)
          // A reader gets the posts after the damage.
          let last = log.all.map(\.id).max() ?? 0
          #expect(Self.numbers(port, upTo: last)?.contains(last) == true)
        } else {
          // The load ends, because the server refuses posts.
          ended.wait(for: 1)
          #expect(Self.get("/health", port)?.status == 503)
        }
        server.send(isKilled ? .kill : .terminate)
        _ = server.wait()
        ended.wait(for: 1)
      }
      _ = BoardProgram.serve(["--data", path]) { _, port in
        let next = BoardPeer(port: port)?.publish("next", in: "load")?.id ?? 0
        let found = Self.numbers(port, upTo: next) ?? []
        #expect(found == Set(found).sorted() && found.last == next)
        let acknowledged = Set(log.all.map(\.id))
        #expect(acknowledged.count == log.count && next > acknowledged.max() ?? 0)
        let metrics = Self.get("/metrics", port).flatMap { try? PrometheusText($0.body) }
        func number(_ name: String) -> Int {
          Int(metrics?.metrics.first { $0.name == name }?.samples.first?.value ?? -1)
        }
        let lost = acknowledged.subtracting(found)
        // The loss at the end is counted. A flipped line feed makes one damaged line of two posts.
        let lostAtEnd = lost.count { $0 > found.dropLast().last ?? 0 }
        #expect(number("board_missing_posts") >= lostAtEnd)
        #expect(lost.count - lostAtEnd <= 2 * number("board_damaged_lines"))
        let health = Self.get("/health", port)
        #expect(health?.status == 200)
        let isNamed = ["damaged_lines", "missing_posts", "moved_bytes"].contains {
          number("board_" + $0) > 0
        }
        #expect(isNamed == (health?.body != "ok\n") && (lost.isEmpty || isNamed))
      }
    }
  }

  /// The two ways of `logrotate`: it renames the file and creates another, or it copies the file and empties it.
  @Test(
    "A rotated file is named as lost, and can be put back",
    arguments: ["create 0640", "copytruncate"])
  func rotation(_ way: String) async throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    folder.write("rules", "\(path) {\n  rotate 3\n  \(way)\n}\n")
    await ManualContext.onThread { _ in
      _ = BoardProgram.serve(["--data", path]) { server, port in
        let peer = BoardPeer(port: port)
        #expect(peer?.publish("one")?.id == 1)
        Self.run(
          "chmod 600 \(folder["rules"]) && logrotate -f -s \(folder["state"]) \(folder["rules"])")
        server.send(.hangup)
        Self.wait(for: 503, port)
        #expect(peer?.publish("two")?.status == 503)
        if way == "copytruncate" {
          server.send(.terminate)
          _ = server.wait()
        }
        rename("\(path).1", path)
        if way != "copytruncate" {
          server.send(.hangup)
          Self.wait(for: 200, port)
          #expect(peer?.publish("three")?.id == 2)
        }
      }
      _ = BoardProgram.serve(["--data", path]) { _, port in
        #expect(Self.get("/health", port)?.body == "ok\n")
        #expect(BoardPeer(port: port)?.publish("four")?.status == 201)
      }
      let texts = (try? posts(at: path))?.map(\.text)
      #expect(texts == (way == "copytruncate" ? ["one", "four"] : ["one", "three", "four"]))
    }
  }

  /// Asks for the health until it has a status, but not for ever.
  private static func wait(for status: Int, _ port: UInt16) {
    for _ in 0..<100_000 where get("/health", port)?.status == status { return }
    Issue.record("The health does not become \(status).")
  }

  private static func run(_ command: String) {
    withProcessHere(["/bin/sh", "-c", "PATH=$PATH:/usr/sbin; \(command) 2>&1"]) { process in
      let output = process.remainingLines()
      #expect(process.wait() == .exit(0), "\(output)")
    }
  }

  private static func get(_ path: String, _ port: UInt16) -> BoardPeer.Answer? {
    BoardPeer(port: port)?.answer(to: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  /// Reads a topic from its beginning up to a post. Returns the numbers.
  private static func numbers(_ port: UInt16, upTo last: Int) -> [Int]? {
    let peer = BoardPeer(port: port)
    peer?.send("GET /topics/load?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let text = peer?.read(to: "id: \(last)\n")
    // The first event has no post.
    return text?.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }.dropFirst()
      .compactMap { Int($0.dropFirst(4)) }
  }

  private static func size(of path: String) -> Int {
    var status = stat()
    stat(path, &status)
    return Int(status.st_size)
  }

  private static func copy(_ path: String, to other: String) {
    let whole = bytes(at: path)
    let file = open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    _ = write(file, whole, whole.count)
    close(file)
  }

  private static func flip(_ bit: UInt8, at offset: Int, of path: String) {
    let file = open(path, O_RDWR | O_CLOEXEC)
    var byte: UInt8 = 0
    pread(file, &byte, 1, off_t(offset))
    byte ^= 1 << bit
    pwrite(file, &byte, 1, off_t(offset))
    close(file)
  }
}
