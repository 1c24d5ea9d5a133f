import Glibc
import RunnelStreams

extension EventLoop {
  /// Sends an element whenever a socket, a pipe or a terminal can be read.
  ///
  ///     loop.readable(socket).observe(next: { receive(from: socket) }, failed: { show("\($0)") })
  ///
  /// *Events*: one element per turn of the loop while anything is left to read. Read only the bytes
  /// that are available. The end of the file counts as readable. A descriptor that cannot be
  /// watched, such as a file or one that is not open, fails with a ``DescriptorError``.
  ///
  /// *Disposal*: the stream watches a duplicate of the descriptor, so its number can be closed and
  /// reused safely. The open file therefore stays open until the stream is disposed. Dispose the
  /// stream first, then close the descriptor.
  public func readable(_ descriptor: Int32) -> EventStream<Void, DescriptorError> {
    readiness(of: descriptor, for: .reading)
  }

  /// Sends an element whenever a descriptor can be written, which is most of the time.
  ///
  /// Observe this stream when a write was incomplete, and dispose it when all bytes are written.
  ///
  ///     loop.writable(socket).observe(next: { sendMore(to: socket) }, failed: { show("\($0)") })
  ///
  /// *Events*, *Disposal*: as for ``readable(_:)``.
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
        // Reports the caller's number, not that of the duplicate.
        observer.failed(.alwaysReady(descriptor))
      } catch {
        observer.failed(error)
      }
    }
  }
}
