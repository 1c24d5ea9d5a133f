import Glibc
import RunnelStreams

extension EventLoop {
  /// Sends what is read from a descriptor as it comes: from a pipe, a socket, a terminal or a file.
  ///
  ///     loop.bytes(from: STDIN_FILENO).observe(
  ///       next: { show("\($0.count) bytes") }, failed: { show("\($0)") })
  ///
  /// *Events*: pieces of at most 64 KiB, and completion at the end of the file. Between two of them the
  /// loop gets to what else it has to do. Nothing is read ahead of the observer, so nothing piles up.
  /// Of several observers of one descriptor each gets what the others have not read. What cannot be
  /// read fails with a ``DescriptorError``.
  ///
  /// *Disposal*: that of ``readable(_:)``: the descriptor itself is neither changed nor closed.
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

/// Reads one piece at a time for one observer.
private final class Reader: Teardown {
  private let descriptor: Descriptor
  private let loop: EventLoop
  private let observer: Observer<[UInt8], DescriptorError>
  private var watch: Watch?
  private let nextPiece: RestartableTimer

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
    do throws(DescriptorError) {
      watch = try Watch(descriptor.number, for: .reading, on: loop) { self.readPiece() }
    } catch .alwaysReady {
      readLater()
    }
  }

  /// A file is read piece by piece too, so that the loop gets to other things in between.
  private func readLater() {
    nextPiece.set(after: .zero) {
      self.readPiece()
      if self.observer.isActive { self.readLater() }
    }
  }

  private func readPiece() {
    guard wouldReturnAtOnce else { return }
    let count = read(descriptor.number, loop.scratch.baseAddress, loop.scratch.count)
    if count > 0 {
      // Copied before anybody is called, who may read in turn.
      observer.next([UInt8](loop.scratch.prefix(count)))
    } else if count == 0 {
      observer.completed()
    } else if errno != EINTR && errno != EAGAIN {
      // A terminal that has been hung up says so once it has nothing left.
      if errno == EIO && isatty(descriptor.number) != 0 { return observer.completed() }
      observer.failed(.system(errno))
    }
  }

  /// Whether there still is something to read. Another observer may have read what the loop was told
  /// of, and a descriptor that blocks, as most of these do, would keep the loop waiting for more.
  private var wouldReturnAtOnce: Bool {
    var state = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    // Less than that where a signal has come.
    return poll(&state, 1, 0) > 0
  }

  func tearDown() {
    watch?.end()
    nextPiece.tearDown()
  }
}
