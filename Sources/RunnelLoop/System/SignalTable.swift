import CLibevent
import Glibc
import RunnelStreams
import Synchronization

/// Which loops listen to which signals, for the whole process, and what the signal handler leaves
/// for them.
///
/// The handler may interrupt any thread anywhere, so all that it touches was made before, is atomic,
/// and stays for ever: a loop that goes leaves its slot, with the eventfd in it, to the next one. A
/// handler that comes too late wakes that one for nothing.
enum SignalTable {
  /// What a loop listens to, and what has come for it.
  struct Slot: ~Copyable {
    /// Becomes readable anew when something is pending.
    let descriptor: Int32
    let next: UnsafeMutablePointer<Slot>?
    /// Whose signals the handler marks here.
    let interests = Atomic<UInt64>(0)
    /// Those that have come and were not taken.
    let pending = Atomic<UInt64>(0)
  }

  private struct Registry {
    var unused: [UnsafeMutablePointer<Slot>] = []
    /// By signal: how many slots are interested, and what happened to it before they were.
    var listeners: [Int32: Int] = [:]
    var previous: [Int32: sigaction] = [:]
  }

  // Safety: an atomic, of slots of which only the atomics change.
  nonisolated(unsafe) private static let slots = Atomic<UnsafeMutablePointer<Slot>?>(nil)
  // Safety: what the pointers in it lead to is atomic or constant.
  private static let registry = Monitor(Registry())

  // MARK: - Slots

  /// Takes a slot that nobody has. Traps where no descriptor is left.
  static func claimSlot() -> UnsafeMutablePointer<Slot> {
    registry.withLock { registry in
      if let slot = registry.unused.popLast() { return slot }
      let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      Descriptor.require(descriptor)
      // Safety: it is never freed.
      let slot = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
      let first = slots.load(ordering: .relaxed)
      slot.initialize(to: Slot(descriptor: descriptor, next: first))
      slots.store(slot, ordering: .releasing)
      return slot
    }
  }

  /// Gives a slot back that is interested in nothing.
  static func release(_ slot: UnsafeMutablePointer<Slot>) {
    registry.withLock { $0.unused.append(slot) }
  }

  // MARK: - Interests

  /// Has a signal marked in a slot from now on.
  static func listen(to signal: Signal, in slot: UnsafeMutablePointer<Slot>) {
    registry.withLock { registry in
      slot.pointee.pending.bitwiseAnd(~signal.bit, ordering: .sequentiallyConsistent)
      slot.pointee.interests.bitwiseOr(signal.bit, ordering: .sequentiallyConsistent)
      let count = registry.listeners[signal.rawValue, default: 0]
      registry.listeners[signal.rawValue] = count + 1
      if count == 0 { registry.previous[signal.rawValue] = install(handler, for: signal) }
    }
  }

  /// Ends that. What happened to the signal before anybody listened happens again when nobody does.
  static func ignore(_ signal: Signal, in slot: UnsafeMutablePointer<Slot>) {
    registry.withLock { registry in
      slot.pointee.interests.bitwiseAnd(~signal.bit, ordering: .sequentiallyConsistent)
      slot.pointee.pending.bitwiseAnd(~signal.bit, ordering: .sequentiallyConsistent)
      let count = registry.listeners[signal.rawValue, default: 0]
      registry.listeners[signal.rawValue] = count - 1
      guard count == 1, var previous = registry.previous.removeValue(forKey: signal.rawValue)
      else { return }
      // Whoever has put a handler of their own in our place keeps it.
      if isSame(disposition(of: signal), handler) { sigaction(signal.rawValue, &previous, nil) }
    }
  }

  // MARK: - Handlers

  private typealias Handler = @convention(c) (Int32) -> Void

  private static let handler: Handler = { note($0) }

  /// Runs in the middle of anything: no allocation, no lock, no reference counting.
  private static func note(_ signal: Int32) {
    let code = errno
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: signal - 1)
    var slot = slots.load(ordering: .acquiring)
    while let current = slot {
      if current.pointee.interests.load(ordering: .sequentiallyConsistent) & bit != 0 {
        let pending = current.pointee.pending.bitwiseOr(bit, ordering: .sequentiallyConsistent)
        // Where something was pending before, whoever marked it wakes the loop.
        if pending.oldValue == 0 { eventfd_write(current.pointee.descriptor, 1) }
      }
      slot = current.pointee.next
    }
    errno = code
  }

  /// Installs, once, a handler that makes a write to a broken pipe an error, unless the standard
  /// output is broken: then the signal ends the process.
  ///
  /// Ignoring the signal would not do: child processes would inherit that. A program that has a
  /// disposition of its own keeps it.
  static let brokenPipesAreHandled: Bool = {
    if disposition(of: .brokenPipe).__sigaction_handler.sa_handler == nil {
      _ = install(
        { signal in
          let code = errno
          if StandardOutput.hasLostReader {
            Glibc.signal(signal, SIG_DFL)
            // It is blocked while this handler runs, and ends the process when it returns.
            raise(signal)
          }
          errno = code
        }, for: .brokenPipe)
    }
    return true
  }()

  /// Lets a signal that was ignored when the process started do what it does otherwise.
  static func stopIgnoring(_ signal: Signal) {
    // Safety: ignoring is a constant in the place of a function's address.
    let handler = unsafeBitCast(
      disposition(of: signal).__sigaction_handler.sa_handler, to: Int.self)
    if handler == unsafeBitCast(SIG_IGN, to: Int.self) { Glibc.signal(signal.rawValue, SIG_DFL) }
  }

  private static func install(_ handler: Handler, for signal: Signal) -> sigaction {
    var action = sigaction()
    var previous = sigaction()
    action.__sigaction_handler.sa_handler = handler
    // System calls elsewhere in the program go on as if nothing had been.
    action.sa_flags = Int32(SA_RESTART) | Int32(SA_ONSTACK)
    sigfillset(&action.sa_mask)
    let status = sigaction(signal.rawValue, &action, &previous)
    require(status == 0, "\(signal) cannot be handled: \(String(cString: strerror(errno))).")
    return previous
  }

  private static func disposition(of signal: Signal) -> sigaction {
    var action = sigaction()
    sigaction(signal.rawValue, nil, &action)
    return action
  }

  private static func isSame(_ action: sigaction, _ handler: Handler) -> Bool {
    // Safety: both are addresses of functions of the same C signature, or null.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(handler, to: Int.self)
  }
}
