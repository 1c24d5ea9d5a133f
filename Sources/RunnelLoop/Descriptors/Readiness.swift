import Glibc
import RunnelStreams

extension EventLoop {
  /// Sends an element whenever something can be read from a descriptor: a socket, a pipe, a terminal.
  ///
  ///     loop.readable(socket).observe(next: { receive(from: socket) }, failed: { show("\($0)") })
  ///
  /// *Events*: as long as something is left to read, one element a turn of the loop, so read what
  /// is there and no more: the end of the file counts as readable too. What cannot be watched fails
  /// with a ``DescriptorError``: a file, which is always ready, a descriptor that is not open.
  ///
  /// *Disposal*: the stream watches a duplicate of the descriptor, so that closing and reusing its
  /// number confuses nobody. What is open therefore stays open until the stream is disposed: dispose
  /// first, then close.
  public func readable(_ descriptor: Int32) -> EventStream<Void, DescriptorError> {
    readiness(of: descriptor, for: .reading)
  }

  /// Sends an element whenever something can be written to a descriptor, which is most of the time:
  /// observe it when a write has taken less than it was given, and dispose it when all is written.
  ///
  ///     loop.writable(socket).observe(next: { sendMore(to: socket) }, failed: { show("\($0)") })
  ///
  /// *Events*, *Disposal*: those of ``readable(_:)``.
  public func writable(_ descriptor: Int32) -> EventStream<Void, DescriptorError> {
    readiness(of: descriptor, for: .writing)
  }

  private func readiness(
    of descriptor: Int32, for interest: Watch.Interest
  ) -> EventStream<Void, DescriptorError> {
    .unguarded { observer in
      do throws(DescriptorError) {
        let duplicate = try Descriptor(duplicating: descriptor)
        observer.observation.add { withExtendedLifetime(duplicate) {} }
        let watch = try Watch(duplicate.number, for: interest, on: self) { observer.next(()) }
        observer.observation.add(watch)
      } catch .alwaysReady {
        // By the number that the user knows it by, not that of the duplicate.
        observer.failed(.alwaysReady(descriptor))
      } catch {
        observer.failed(error)
      }
    }
  }
}
