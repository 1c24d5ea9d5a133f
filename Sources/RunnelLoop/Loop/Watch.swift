import CLibevent
import Glibc
import RunnelStreams

/// A descriptor that libevent watches on behalf of a loop, from its making until ``end()``.
///
/// It does not own the descriptor, which must stay open as long as it is watched.
package final class Watch {
  /// What is waited for.
  package enum Interest {
    case reading
    case writing
    /// Something to read that was not there before: each arrival calls back once, read or not.
    case arrivals

    fileprivate var flags: Int16 {
      let flags =
        switch self {
        case .reading: EV_READ | EV_PERSIST
        case .writing: EV_WRITE | EV_PERSIST
        case .arrivals: EV_READ | EV_PERSIST | EV_ET
        }
      return Int16(flags)
    }
  }

  // Safety: the loop keeps the watches that are not over, and frees their events before it goes.
  private unowned(unsafe) let loop: EventLoop
  private var event: OpaquePointer?
  /// Let go of at the end: mostly it holds whoever holds the watch.
  private var action: (() -> Void)?

  /// Calls the action, on the loop, each time that the descriptor is as wanted.
  package init(
    _ descriptor: Int32, for interest: Interest, on loop: EventLoop,
    _ action: @escaping () -> Void
  ) throws(DescriptorError) {
    loop.mustBeCurrent("watching a descriptor")
    self.loop = loop
    self.action = action
    // Safety: the event is freed before this object goes.
    let argument = Unmanaged.passUnretained(self).toOpaque()
    event = event_new(
      loop.base.pointer, descriptor, interest.flags,
      { _, _, argument in
        guard let argument else { return }
        // Safety: the argument is a watch, which the loop keeps until its event is freed.
        Unmanaged<Watch>.fromOpaque(argument).takeUnretainedValue().action?()
      }, argument)
    errno = 0
    guard event_add(event, nil) == 0 else {
      let code = errno
      event_free(event)
      event = nil
      self.action = nil
      throw DescriptorError(code, descriptor)
    }
    loop.watches[ObjectIdentifier(self)] = self
  }

  /// Stops watching. Nothing is called back after this, also if it was about to be.
  package func end() {
    // Also where the loop has freed it, and is gone.
    guard event != nil else { return }
    loop.mustBeCurrent("disposing what watches a descriptor")
    free()
    release(loop.watches.removeValue(forKey: ObjectIdentifier(self)))
    letGo()
  }

  /// Frees the event, at the end or with the loop.
  func free() {
    guard let event else { return }
    self.event = nil
    event_free(event)
  }

  /// Lets go of the action, which may be running.
  func letGo() {
    release(exchange(&action, with: nil))
  }
}

extension Watch: Teardown {
  package func tearDown() { end() }
}
