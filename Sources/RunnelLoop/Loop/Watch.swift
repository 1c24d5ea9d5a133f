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
    /// All that can happen to a connected socket. Each change calls the action once.
    case socket

    fileprivate var flags: Int16 {
      let flags =
        switch self {
        case .reading: EV_READ | EV_PERSIST
        case .writing: EV_WRITE | EV_PERSIST
        case .arrivals: EV_READ | EV_PERSIST | EV_ET
        case .socket: EV_READ | EV_WRITE | EV_CLOSED | EV_PERSIST | EV_ET
        }
      return Int16(flags)
    }
  }

  private weak let loop: EventLoop?
  private let activity: LoopActivity
  private var event: OpaquePointer?
  /// Released at the end, because it usually retains the owner of the watch.
  private var action: ((Events) -> Void)?

  package struct Events: OptionSet {
    package let rawValue: Int32

    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }

    package static let readable = Events(rawValue: EV_READ)
    package static let writable = Events(rawValue: EV_WRITE)
    /// The peer has finished or reset the connection. Bytes may still be readable.
    package static let closed = Events(rawValue: EV_CLOSED)
  }

  /// Calls the action on the loop each time that the descriptor meets the condition.
  package convenience init(
    _ descriptor: Int32, for interest: Interest, on loop: EventLoop,
    _ action: @escaping () -> Void
  ) throws(DescriptorError) {
    try self.init(descriptor, for: interest, on: loop) { (_: Events) in action() }
  }

  /// Calls the action with the events on the loop each time that there are any.
  package init(
    _ descriptor: Int32, for interest: Interest, on loop: EventLoop,
    _ action: @escaping (Events) -> Void
  ) throws(DescriptorError) {
    loop.mustBeCurrent("watching a descriptor")
    self.loop = loop
    activity = loop.activity
    self.action = action
    // Safety: the event is freed before this object is released.
    let argument = Unmanaged.passUnretained(self).toOpaque()
    event = event_new(
      loop.base.pointer, descriptor, interest.flags,
      { _, events, argument in
        guard let argument else { return }
        // Safety: the argument is a watch, which the loop retains until its event is freed.
        let watch = Unmanaged<Watch>.fromOpaque(argument).takeUnretainedValue()
        watch.activity.wake()
        watch.action?(Events(rawValue: Int32(events)))
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

  /// The action is not called after this, even if the descriptor is ready.
  package func end() {
    // A loop that is being released frees the events of its watches itself, and releases the actions.
    guard event != nil, let loop else { return }
    loop.mustBeCurrent("disposing the watch of a descriptor")
    free()
    release(loop.watches.removeValue(forKey: ObjectIdentifier(self)))
    releaseAction()
  }

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
