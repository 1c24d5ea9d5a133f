import CLibevent
import Glibc
import RunnelStreams

/// A descriptor that libevent watches for a loop, from initialization until ``end()``.
///
/// It does not own the descriptor, which must stay open while it is watched.
package final class Watch {
  /// The condition that calls the action.
  package enum Interest {
    case reading
    case writing
    /// New bytes to read. Each arrival calls the action once, even if the bytes are not read.
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

  // Safety: the loop retains each active watch, and frees its event before the loop is released.
  private unowned(unsafe) let loop: EventLoop
  private var event: OpaquePointer?
  /// Released at the end, because it usually retains the owner of the watch.
  private var action: (() -> Void)?

  /// Calls the action on the loop each time that the descriptor meets the condition.
  package init(
    _ descriptor: Int32, for interest: Interest, on loop: EventLoop,
    _ action: @escaping () -> Void
  ) throws(DescriptorError) {
    loop.mustBeCurrent("watching a descriptor")
    self.loop = loop
    self.action = action
    // Safety: the event is freed before this object is released.
    let argument = Unmanaged.passUnretained(self).toOpaque()
    event = event_new(
      loop.base.pointer, descriptor, interest.flags,
      { _, _, argument in
        guard let argument else { return }
        // Safety: the argument is a watch, which the loop retains until its event is freed.
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

  /// Stops watching. The action is not called after this, even if the descriptor is ready.
  package func end() {
    // The event is already freed if the loop was released.
    guard event != nil else { return }
    loop.mustBeCurrent("disposing the watch of a descriptor")
    free()
    release(loop.watches.removeValue(forKey: ObjectIdentifier(self)))
    releaseAction()
  }

  /// Frees the event, when the watch or the loop ends.
  func free() {
    guard let event else { return }
    self.event = nil
    event_free(event)
  }

  /// Releases the action, which may be running.
  func releaseAction() {
    release(exchange(&action, with: nil))
  }
}

extension Watch: Teardown {
  package func tearDown() { end() }
}
