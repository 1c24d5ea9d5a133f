import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct BytesTests {
  @Test func sendsBytesOfPipeUntilItIsClosed() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<StreamEvent<[UInt8], DescriptorError>>()
      loop.wait { _ = loop.bytes(from: pipe.reading).observe { log.add($0) } }
      pipe.write("one")
      #expect(log.wait(for: 1) == [.next(Array("one".utf8))])
      pipe.write("two")
      log.wait(for: 2)
      pipe.closeWriting()
      #expect(log.wait(for: 3) == [.next(Array("one".utf8)), .next(Array("two".utf8)), .completed])
    }
  }

  @Test func readsFileInPieces() async {
    let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    await withLoop { loop in
      let file = TemporaryFile(content)
      let log = EventLog<[UInt8]>()
      let isDone = EventLog<Void>()
      loop.execute {
        loop.bytes(from: file.descriptor).observe(
          next: { log.add($0) }, completed: { isDone.add(()) })
      }
      isDone.wait(for: 1)
      #expect(Array(log.all.joined()) == content)
      #expect(log.all.allSatisfy { $0.count <= 1 << 16 })
    }
  }

  @Test func unreadBytesStayInPipe() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<[UInt8]>()
      pipe.write(String(repeating: "a", count: 65_536))
      loop.wait { _ = loop.bytes(from: pipe.reading).take(1).observe(next: { log.add($0) }) }
      log.wait(for: 1)
      pipe.write("rest")
      #expect(loop.wait { pipe.read() } == "rest")
    }
  }

  /// Both observers are notified, and the first one reads the bytes. The pipe is in blocking mode.
  @Test func observerWithoutBytesDoesNotBlockLoop() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      loop.wait {
        for _ in 0..<2 {
          loop.bytes(from: pipe.reading).observe(
            next: { log.add(String(decoding: $0, as: UTF8.self)) }, completed: { log.add("end") })
        }
      }
      pipe.write("x")
      #expect(log.wait(for: 1) == ["x"])
      #expect(loop.wait { log.all } == ["x"])
      pipe.closeWriting()
      #expect(log.wait(for: 3) == ["x", "end", "end"])
    }
  }

  @Test func closesDescriptors() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let growth = loop.wait {
        let before = dup(pipe.reading)
        close(before)
        for _ in 0..<1_000 { loop.bytes(from: pipe.reading).observe(next: { _ in }).dispose() }
        let after = dup(pipe.reading)
        close(after)
        return after - before
      }
      // Other tests open descriptors meanwhile, but fewer than 500.
      #expect(growth < 500)
    }
  }

  @Test func completesWhenTerminalHangsUp() async {
    await withLoop { loop in
      var ends: (master: Int32, terminal: Int32) = (0, 0)
      openpty(&ends.master, &ends.terminal, nil, nil, nil)
      for end in [ends.master, ends.terminal] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let (master, terminal) = ends
      let log = EventLog<String>()
      loop.wait {
        _ = loop.lines(from: terminal).observe(next: { log.add($0) }, completed: { log.add("end") })
      }
      _ = write(master, "typed\n", 6)
      #expect(log.wait(for: 1) == ["typed"])
      close(master)
      #expect(log.wait(for: 2) == ["typed", "end"])
      close(terminal)
    }
  }

  @Test func readErrorFailsStream() async {
    await withLoop { loop in
      let log = EventLog<DescriptorError>()
      loop.execute {
        let folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for descriptor in [-1, folder] {
          loop.bytes(from: descriptor).observe(next: { _ in }, failed: { log.add($0) })
        }
        close(folder)
      }
      #expect(log.wait(for: 2) == [.notOpen(-1), .system(EISDIR)])
    }
  }
}

@Suite struct LinesTests {
  /// The lines do not depend on the pieces in which the bytes arrive.
  @Test func linesAreIndependentOfPieces() async {
    let text = "one\n\ntwo\r\nthr€e\r\r\n\nlast"
    let expected = ["one", "", "two", "thr€e\r", "", "last"]
    let bytes = Array(text.utf8)
    await withLoop { loop in
      for cut in 0...bytes.count {
        let pipe = TestPipe()
        let log = EventLog<String>()
        let isDone = EventLog<Void>()
        loop.wait {
          _ = loop.lines(from: pipe.reading).observe(
            next: { log.add($0) }, completed: { isDone.add(()) })
        }
        pipe.write(bytes[..<cut])
        _ = loop.wait { loop.statistics }
        pipe.write(bytes[cut...])
        pipe.closeWriting()
        isDone.wait(for: 1)
        #expect(log.all == expected, "cut at \(cut)")
      }
    }
  }

  @Test func replacesInvalidUTF8() async {
    #expect(await lines(of: [0xFF, 0x41, 0x0A, 0x00, 0x0A]) == ["\u{FFFD}A", "\0"])
    #expect(await lines(of: []) == [])
    #expect(await lines(of: Array("\n".utf8)) == [""])
  }

  @Test func lineBeyondLimitFails() async {
    await withLoop { loop in
      for (text, expected) in [
        ("abcd\nx", ["abcd", "x", "end"]),
        ("abcde\nx", ["a line is too long: 4"]),
        ("ab\nabcdefgh", ["ab", "a line is too long: 4"]),
      ] {
        let pipe = TestPipe()
        let log = EventLog<String>()
        let isDone = EventLog<Void>()
        pipe.write(text)
        pipe.closeWriting()
        loop.wait {
          _ = loop.lines(from: pipe.reading, longest: 4).observe(
            next: { log.add($0) },
            failed: { error in
              if case .lineTooLong(let limit) = error { log.add("a line is too long: \(limit)") }
              isDone.add(())
            },
            completed: {
              log.add("end")
              isDone.add(())
            })
        }
        isDone.wait(for: 1)
        #expect(log.all == expected)
      }
    }
  }

  @Test func disposingInsidePieceStopsDelivery() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      pipe.write("a\nb\nc\n")
      loop.wait { _ = loop.lines(from: pipe.reading).take(2).observe(next: { log.add($0) }) }
      _ = log.wait(for: 2)
      #expect(loop.wait { log.all } == ["a", "b"])
    }
  }

  @Test func readsHundredThousandLines() async {
    let expected = (0..<100_000).map { "line \($0)" }
    #expect(await lines(of: Array(expected.joined(separator: "\n").utf8)) == expected)
  }

  private func lines(of bytes: [UInt8]) async -> [String] {
    await withLoop { loop in
      let file = TemporaryFile(bytes)
      let log = EventLog<String>()
      let isDone = EventLog<Void>()
      loop.wait {
        _ = loop.lines(from: file.descriptor).observe(
          next: { log.add($0) }, completed: { isDone.add(()) })
      }
      isDone.wait(for: 1)
      return log.all
    }
  }

  @Test("Reading pauses while the writer that it feeds is full, and nothing is lost")
  func pausesForFullWriter() async {
    await withLoop { loop in
      let (source, target) = (TestPipe(), TestPipe())
      target.fill()
      let most = EventLog<Int>()
      let isFull = EventLog<Void>()
      loop.execute {
        guard let writer = try? Writer(target.writing, on: loop) else { return }
        writer.limit = 10_000
        writer.isWritable.observeNext { if !$0 { isFull.add(()) } }
        writer.drained.observe(
          next: { _ in },
          failed: {
            Issue.record("\($0)")
            target.closeWriting()
          })
        loop.lines(from: source.reading)
          .do(next: { _ in most.add(writer.waitingCount) })
          .map { "\($0)\n" }.bind(to: writer)
      }
      let text = (0..<100_000).map { "line \($0)\n" }.joined()
      let sender = startThread { source.write(text) }
      isFull.wait(for: 1)
      var received = ""
      while received.utf8.count < TestPipe.capacity + text.utf8.count {
        let piece = target.read()
        if piece.isEmpty { break }
        received += piece
      }
      pthread_join(sender, nil)
      #expect(received.utf8.dropFirst(TestPipe.capacity).elementsEqual(text.utf8))
      // The reader pauses within a piece.
      #expect(most.all.max() ?? 0 <= 10_000 + 20)
      source.closeWriting()
    }
  }
}
