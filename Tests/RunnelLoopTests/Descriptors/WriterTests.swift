import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct WriterTests {
  /// A writer that a test uses on its loop.
  private func make(_ descriptor: Int32, on loop: EventLoop) -> Confined<Writer?> {
    let writer = Confined<Writer?>(nil)
    loop.wait {
      do {
        writer.value = try Writer(descriptor, on: loop)
      } catch {
        Issue.record("\(error)")
      }
    }
    return writer
  }

  private func isBlocking(_ descriptor: Int32) -> Bool {
    fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0
  }

  @Test func writesToPipeWithoutChangingIt() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let writer = make(pipe.writing, on: loop)
      loop.execute { _ = writer.value?.write("hello") }
      #expect(pipe.read() == "hello")
      #expect(isBlocking(pipe.writing))
      loop.wait { writer.value = nil }
      // The caller's descriptor is still open.
      pipe.write("more")
      #expect(pipe.read() == "more")
    }
  }

  @Test("A full pipe does not block the loop, and drained is sent once")
  func waitsForRoom() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let writer = make(pipe.writing, on: loop)
      let drained = EventLog<Void>()
      loop.wait {
        _ = writer.value?.drained.observe(next: { drained.add(()) }, failed: { _ in })
        _ = writer.value?.write([UInt8](repeating: 65, count: 1_000_000))
        writer.value?.flush()
      }
      #expect(loop.wait { writer.value?.waitingCount ?? 0 } > 0)
      var count = 0
      while count < 1_000_000 { count += pipe.read().utf8.count }
      drained.wait(for: 1)
      #expect(count == 1_000_000)
      #expect(drained.count == 1)
      loop.wait { writer.value = nil }
    }
  }

  @Test func writesToBlockingSocket() async {
    await withLoop { loop in
      let pair = SocketPair()
      let writer = make(pair.near, on: loop)
      let sent = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      loop.wait {
        _ = writer.value?.write(sent)
        writer.value?.flush()
      }
      #expect(isBlocking(pair.near))
      var received: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while received.count < sent.count {
        let count = read(pair.far, &buffer, buffer.count)
        if count <= 0 { break }
        received += buffer[..<count]
      }
      #expect(received == sent)
      loop.wait { writer.value = nil }
    }
  }

  @Test func writesToTerminal() async {
    await withLoop { loop in
      let near = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var unlocked: Int32 = 0
      // TIOCSPTLCK and TIOCGPTPEER: unlocks the terminal and opens its other side.
      _ = ioctl(near, 0x4004_5431, &unlocked)
      let far = ioctl(near, 0x5441, O_RDWR | O_NOCTTY)
      let writer = make(far, on: loop)
      let text = String(repeating: "line of a terminal ", count: 5_000)
      loop.wait {
        _ = writer.value?.write(text)
        writer.value?.flush()
      }
      #expect(isBlocking(far))
      var received = ""
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while received.utf8.count < text.utf8.count {
        let count = read(near, &buffer, buffer.count)
        if count <= 0 { break }
        received += String(decoding: buffer[..<count], as: UTF8.self)
      }
      #expect(received == text)
      loop.wait { writer.value = nil }
      close(near)
      close(far)
    }
  }

  @Test func writesToFile() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let file = open(folder["file"], O_CREAT | O_RDWR, 0o600)
      let writer = make(file, on: loop)
      let written = EventLog<Void>()
      loop.execute {
        _ = writer.value?.write("one ")
        writer.value?.writing("two").observe(
          completed: { written.add(()) }, failed: { Issue.record("\($0)") })
      }
      written.wait(for: 1)
      var buffer = [UInt8](repeating: 0, count: 100)
      let count = pread(file, &buffer, 100, 0)
      #expect(String(decoding: buffer[..<max(0, count)], as: UTF8.self) == "one two")
      close(file)
    }
  }

  @Test("A job that is added when bytes are written runs although nothing else wakes the loop")
  func jobOfCompletionRuns() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let writer = make(pipe.writing, on: loop)
      let ran = EventLog<Void>()
      loop.execute {
        writer.value?.writing("hello").observe(
          completed: { loop.execute { ran.add(()) } }, failed: { Issue.record("\($0)") })
      }
      ran.wait(for: 1)
      loop.wait { writer.value = nil }
    }
  }

  @Test func fullDeviceFails() async {
    await withLoop { loop in
      let device = open("/dev/full", O_WRONLY)
      let writer = make(device, on: loop)
      let log = EventLog<String>()
      loop.execute {
        writer.value?.drained.observe(next: {}, failed: { log.add("\($0)") })
        _ = writer.value?.write("x")
      }
      #expect(log.wait(for: 1)[0].contains("No space left"))
      close(device)
    }
  }

  @Test("A reader that has gone completes the writer")
  func lostReaderCompletes() async {
    await withLoop { loop in
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      let reading = ends[0]
      let writer = make(ends[1], on: loop)
      close(ends[1])
      let log = EventLog<String>()
      loop.execute {
        writer.value?.drained.observe(
          next: {}, failed: { log.add("\($0)") }, completed: { log.add("completed") })
      }
      close(reading)
      // A child that another test is starting holds that end until it executes its program.
      while loop.wait(for: { writer.value?.write("x") ?? false }) {}
      #expect(log.wait(for: 1) == ["completed"])
      #expect(loop.wait { writer.value?.isOpen } == false)
      loop.wait { writer.value = nil }
    }
  }

  @Test("A release writes the waiting bytes and ends the other side")
  func releaseFlushes() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let writer = make(pipe.writing, on: loop)
      pipe.closeWriting()
      loop.wait {
        _ = writer.value?.write([UInt8](repeating: 65, count: 300_000))
        writer.value = nil
      }
      var count = 0
      while true {
        let text = pipe.read()
        if text.isEmpty { break }
        count += text.utf8.count
      }
      #expect(count == 300_000)
    }
  }

  @Test func bindingRetainsWriterUntilStreamEnds() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let writer = make(pipe.writing, on: loop)
      pipe.closeWriting()
      let source = Confined(PushStream<String>())
      loop.wait {
        if let target = writer.value { source.value.bind(to: target) }
        writer.value = nil
        source.value.next("bound")
      }
      #expect(pipe.read() == "bound")
      loop.wait { source.value.completed() }
      #expect(pipe.read() == "")
    }
  }

  @Test("Closed descriptors are named in the error")
  func closedDescriptorFails() async {
    await withLoop { loop in
      let message = loop.wait { () -> String in
        do throws(DescriptorError) {
          _ = try Writer(9_999, on: loop)
          return ""
        } catch {
          return "\(error)"
        }
      }
      #expect(message.contains("Descriptor 9999 is not open"))
    }
  }

  @Test("A writer may be used from its own callbacks")
  func writingInCallbacks() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let writer = make(pipe.writing, on: loop)
      let rounds = EventLog<Int>()
      loop.execute {
        writer.value?.drained.observe(
          next: {
            rounds.add(rounds.count)
            if rounds.count < 50 { _ = writer.value?.write("\(rounds.count) ") }
          }, failed: { _ in })
        _ = writer.value?.write("0 ")
      }
      rounds.wait(for: 50)
      #expect(pipe.read() == (0..<50).map { "\($0) " }.joined())
      loop.wait { writer.value = nil }
    }
  }
}
