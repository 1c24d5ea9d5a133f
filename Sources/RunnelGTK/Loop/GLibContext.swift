#if GTK
import CGTK
import Glibc
import RunnelLoop
import RunnelStreams

// Safety: used on the main thread only, like GTK.
/// The main context of GLib, which the main loop serves.
///
/// The event loop waits for the descriptors and the deadline of GLib in libevent, together with its
/// own. So sockets, timers, tasks and GTK make progress together, and an idle window causes no
/// wake-ups. If GLib waits inside a callback, as some dialogs do, the event loop runs its turns there.
final class GLibContext: GuestLoop, @unchecked Sendable {
  private let context = g_main_context_default()
  private let loop: EventLoop
  private var descriptors = [GPollFD](repeating: GPollFD(), count: 16)
  private var watches: [Int32: (watch: Watch, events: UInt16)] = [:]
  private let deadline: RestartableTimer
  /// The descriptor of the connection to the display; -1 if it is unknown.
  private var display: Int32 = -1
  private var displayEnded: (@MainActor () -> Void)?
  /// True while sources of GLib are dispatched.
  private var isServing = false

  @MainActor static let shared = GLibContext(on: .main)

  @MainActor private init(on loop: EventLoop) {
    self.loop = loop
    deadline = RestartableTimer(on: loop)
    g_main_context_set_poll_func(context) { descriptors, count, timeout in
      // Safety: the main thread owns the context, so no other thread polls it.
      nonisolated(unsafe) let descriptors = descriptors
      return MainActor.assumeIsolated {
        GLibContext.shared.wait(for: descriptors, count: Int(count), timeout: timeout)
      }
    }
  }

  /// Lets the main loop serve the context from now on. The closure is called, and nothing is served any more, when the
  /// connection to the display has ended: GTK would end the process.
  @MainActor static func attach(displayEnded: @escaping @MainActor () -> Void) {
    shared.display = DisplayConnection.descriptor ?? -1
    shared.displayEnded = displayEnded
    // Other threads wake the context only if it has an owner.
    g_main_context_acquire(shared.context)
    EventLoop.main.guest = shared
  }

  /// Ends serving the context, if it is served.
  @MainActor static func detach() {
    guard shared.displayEnded != nil else { return }
    EventLoop.main.guest = nil
    shared.displayEnded = nil
    shared.watch([])
    shared.deadline.cancel()
    g_main_context_release(shared.context)
  }

  func serve() -> Bool {
    if isServing || endsWithDisplay() { return false }
    var priority: gint = 0
    var timeout: gint = -1
    g_main_context_prepare(context, &priority)
    var count = 0
    while true {
      count = Int(
        g_main_context_query(
          context, priority, &timeout, &descriptors, gint(descriptors.count)))
      if count <= descriptors.count { break }
      descriptors = [GPollFD](repeating: GPollFD(), count: count)
    }
    _ = descriptors.withUnsafeMutableBufferPointer { poll($0.baseAddress, count, 0) }
    if Bool(g_main_context_check(context, priority, &descriptors, gint(count))) {
      isServing = true
      g_main_context_dispatch(context)
      isServing = false
      return true
    }
    descriptors.withUnsafeBufferPointer { watch($0.prefix(count)) }
    setDeadline(timeout)
    return false
  }

  /// If the display has closed its end of the connection, ends serving, calls `displayEnded` and returns true. GTK ends
  /// the process when it notices that, which may be before it waits.
  private func endsWithDisplay() -> Bool {
    var connection = pollfd(fd: display, events: 0, revents: 0)
    guard display >= 0, Glibc.poll(&connection, 1, 0) > 0 else { return false }
    // Safety: the main thread owns the context.
    MainActor.assumeIsolated {
      DisplayConnection.markClosed()
      let ended = displayEnded
      GLibContext.detach()
      ended?()
    }
    return true
  }

  /// Waits for the context inside a callback, and runs the event loop meanwhile.
  private func wait(
    for list: UnsafeMutablePointer<GPollFD>?, count: Int, timeout: gint
  ) -> gint {
    let wanted = UnsafeMutableBufferPointer(start: list, count: count)
    if isServing && timeout != 0 {
      watch(wanted[...])
      setDeadline(timeout)
      if loop.turnForGuest() { return poll(list, count, 0) }
    }
    return poll(list, count, timeout)
  }

  private func poll(_ list: UnsafeMutablePointer<GPollFD>?, _ count: Int, _ timeout: gint) -> gint {
    guard let list else { return Glibc.poll(nil, 0, timeout) }
    // Safety: GPollFD has the layout of pollfd.
    return list.withMemoryRebound(to: pollfd.self, capacity: count) {
      Glibc.poll($0, nfds_t(count), timeout)
    }
  }

  /// Watches the descriptors of the context on the event loop.
  private func watch(_ wanted: some Collection<GPollFD>) {
    var events: [Int32: UInt16] = [:]
    for one in wanted { events[one.fd, default: 0] |= one.events }
    for (number, watched) in watches where events[number] != watched.events {
      watched.watch.end()
      watches[number] = nil
    }
    for (number, events) in events where watches[number] == nil {
      let interest: Watch.Interest = events & UInt16(POLLIN) != 0 ? .reading : .writing
      // The turn after the wake-up serves the context.
      guard let watch = try? Watch(number, for: interest, on: loop, { () -> Void in }) else {
        continue
      }
      watches[number] = (watch, events)
    }
  }

  private func setDeadline(_ timeout: gint) {
    if timeout < 0 { return deadline.cancel() }
    deadline.set(after: .milliseconds(Int64(timeout))) {}
  }
}
#endif
