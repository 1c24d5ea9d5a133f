import Glibc
import RunnelStreams

extension EventLoop {
  /// Sends the bytes that are read from a descriptor: a pipe, a socket, a terminal or a file.
  ///
  ///     loop.bytes(from: STDIN_FILENO).observe(
  ///       next: { show("\($0.count) bytes") }, failed: { show("\($0)") })
  ///
  /// *Events*: pieces of at most 64 KiB, then completion at the end of the file. The loop runs
  /// other work between two pieces. Nothing is read ahead of the observer, so no bytes accumulate.
  /// Reading pauses while a ``Writer`` to which the observer writes is full, or another context is
  /// behind.
  /// If several observers read one descriptor, each byte goes to one of them. A read error fails
  /// the stream with a ``DescriptorError``.
  ///
  /// *Disposal*: as for ``readable(_:)``. The descriptor is neither changed nor closed.
  public func bytes(from descriptor: Int32) -> EventStream<[UInt8], DescriptorError> {
    .unguarded { observer in
      do throws(DescriptorError) {
        let reader = Reader(try Descriptor(duplicating: descriptor), on: self, into: observer)
        observer.observation.add(reader)
        try reader.begin()
      } catch {
        observer.failed(error)
      }
    }
  }
}

/// Reads a descriptor for one observer, one piece per turn of the loop.
private final class Reader: Teardown {
  private let descriptor: Descriptor
  private let loop: EventLoop
  private let observer: Observer<[UInt8], DescriptorError>
  private var watch: Watch?
  private let nextPiece: RestartableTimer
  /// The number of full places for which this reader waits.
  private var pauses = 0
  private var isOver = false

  init(
    _ descriptor: Descriptor, on loop: EventLoop,
    into observer: Observer<[UInt8], DescriptorError>
  ) {
    self.descriptor = descriptor
    self.loop = loop
    self.observer = observer
    nextPiece = RestartableTimer(on: loop)
  }

  func begin() throws(DescriptorError) {
    guard watch == nil, !isOver else { return }
    do throws(DescriptorError) {
      watch = try Watch(descriptor.number, for: .reading, on: loop) { self.readPiece() }
    } catch .alwaysReady {
      readLater()
    }
  }

  /// Schedules the next piece of a file, so that the loop can run other work first.
  private func readLater() {
    nextPiece.set(after: .zero) {
      self.readPiece()
      if self.observer.isActive && self.pauses == 0 { self.readLater() }
    }
  }

  private func readPiece() {
    guard wouldReturnAtOnce else { return }
    let (count, code, piece) = loop.inputOutput.withBuffer { buffer in
      let count = read(descriptor.number, buffer.baseAddress, 1 << 16)
      let code = errno
      return (count, code, [UInt8](buffer.prefix(max(0, count))))
    }
    if count > 0 {
      Delivery.from(self) { observer.next(piece) }
    } else if count == 0 {
      observer.completed()
    } else if code != EINTR && code != EAGAIN {
      // Reading a terminal after a hangup fails with EIO once its buffer is empty.
      if code == EIO && isatty(descriptor.number) != 0 { return observer.completed() }
      observer.failed(.system(code))
    }
  }

  /// True when a read would not block. Another observer may have read the bytes that made the
  /// descriptor ready, and most of these descriptors are in blocking mode.
  private var wouldReturnAtOnce: Bool {
    var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    // The result is negative if a signal interrupted the call.
    return poll(&state, 1, 0) > 0
  }

  func tearDown() {
    isOver = true
    stopWatching()
    nextPiece.tearDown()
  }

  private func stopWatching() {
    let watch = exchange(&self.watch, with: nil)
    watch?.end()
  }
}

extension Reader: PausableSource {
  func pause() {
    pauses += 1
    stopWatching()
  }

  func resume() {
    pauses -= 1
    guard pauses == 0 else { return }
    do throws(DescriptorError) {
      try begin()
    } catch {
      observer.failed(error)
    }
  }
}
