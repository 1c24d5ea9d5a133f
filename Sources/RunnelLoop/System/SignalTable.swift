import CLinux
import Glibc
import RunnelStreams
import Synchronization

/// The table of the signals that loops observe, shared by the whole process and the signal handler.
///
/// The handler may interrupt any thread at any point. All that it uses is therefore allocated
/// before, atomic, and never freed. The slot of a released loop, with its eventfd, goes to the next
/// loop. A late handler call then wakes that loop, or delivers one signal to it that it also observes.
enum SignalTable {
  /// The signals that one loop observes, and those that are pending for it.
  struct Slot: ~Copyable {
    /// An eventfd that is written when the first signal becomes pending.
    let descriptor: Int32
    let next: UnsafeMutablePointer<Slot>?
    /// The signals that the handler marks as pending in this slot.
    let observed = Atomic<UInt64>(0)
    /// The signals that have arrived and were not taken.
    let pending = Atomic<UInt64>(0)
  }

  private struct Registry {
    var unused: [UnsafeMutablePointer<Slot>] = []
    /// The number of slots that observe each signal.
    var slotCounts: [Int32: Int] = [:]
    /// The dispositions before the first observation, by signal.
    var previous: [Int32: sigaction] = [:]
  }

  // Safety: the list only grows, and only the atomics of its slots change.
  nonisolated(unsafe) private static let slots = Atomic<UnsafeMutablePointer<Slot>?>(nil)
  // Safety: the pointers in it lead to slots that are atomic or constant.
  private static let registry = Monitor(Registry())

  // MARK: - Slots

  /// Returns an unused slot. Traps if no descriptor is available.
  static func claimSlot() -> UnsafeMutablePointer<Slot> {
    registry.withLock { registry in
      if let slot = registry.unused.popLast() { return slot }
      let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      Descriptor.require(descriptor)
      // Safety: the slot is never freed.
      let slot = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
      let first = slots.load(ordering: .relaxed)
      slot.initialize(to: Slot(descriptor: descriptor, next: first))
      slots.store(slot, ordering: .releasing)
      return slot
    }
  }

  /// Gives a slot that observes no signal back to the table.
  static func release(_ slot: UnsafeMutablePointer<Slot>) {
    registry.withLock { $0.unused.append(slot) }
  }

  // MARK: - Marking

  static func startMarking(_ signal: Signal, in slot: UnsafeMutablePointer<Slot>) {
    registry.withLock { registry in
      slot.pointee.pending.bitwiseAnd(~signal.bit, ordering: .sequentiallyConsistent)
      slot.pointee.observed.bitwiseOr(signal.bit, ordering: .sequentiallyConsistent)
      let count = registry.slotCounts[signal.rawValue, default: 0]
      registry.slotCounts[signal.rawValue] = count + 1
      if count == 0 { registry.previous[signal.rawValue] = install(handler, for: signal) }
    }
  }

  /// If no slot observes the signal any more, its previous disposition is restored.
  static func stopMarking(_ signal: Signal, in slot: UnsafeMutablePointer<Slot>) {
    registry.withLock { registry in
      slot.pointee.observed.bitwiseAnd(~signal.bit, ordering: .sequentiallyConsistent)
      slot.pointee.pending.bitwiseAnd(~signal.bit, ordering: .sequentiallyConsistent)
      let count = registry.slotCounts[signal.rawValue, default: 0]
      registry.slotCounts[signal.rawValue] = count - 1
      guard count == 1, var previous = registry.previous.removeValue(forKey: signal.rawValue)
      else { return }
      // A handler that other code has installed since is kept.
      if isEqual(disposition(of: signal), handler) { sigaction(signal.rawValue, &previous, nil) }
    }
  }

  // MARK: - Handlers

  private typealias Handler = @convention(c) (Int32) -> Void

  private static let handler: Handler = { markPending($0) }

  /// Async-signal-safe: no allocation, no lock, no reference counting.
  private static func markPending(_ signal: Int32) {
    let code = errno
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: signal - 1)
    var slot = slots.load(ordering: .acquiring)
    while let current = slot {
      if current.pointee.observed.load(ordering: .sequentiallyConsistent) & bit != 0 {
        let pending = current.pointee.pending.bitwiseOr(bit, ordering: .sequentiallyConsistent)
        // If a signal was pending already, the thread that marked it wakes the loop.
        if pending.oldValue == 0 { eventfd_write(current.pointee.descriptor, 1) }
      }
      slot = current.pointee.next
    }
    errno = code
  }

  /// Installs the SIGPIPE handler at the first access, unless the program has set one. Always true.
  ///
  /// The handler makes a write to a broken pipe fail with an error. If the standard output has lost
  /// its reader, the signal ends the process. Ignoring the signal instead would be inherited by
  /// child processes.
  static let brokenPipesAreHandled: Bool = {
    // The default disposition, `SIG_DFL`, is a null pointer.
    if disposition(of: .brokenPipe).__sigaction_handler.sa_handler == nil {
      _ = install(
        { signal in
          let code = errno
          if StandardOutput.hasLostReader {
            Glibc.signal(signal, SIG_DFL)
            // The signal is blocked while this handler runs, and ends the process when it returns.
            raise(signal)
          }
          errno = code
        }, for: .brokenPipe)
    }
    return true
  }()

  /// Restores the default disposition of a signal that is ignored.
  static func stopIgnoring(_ signal: Signal) {
    // Safety: `SIG_IGN` is a constant in the place of a function's address.
    let handler = unsafeBitCast(
      disposition(of: signal).__sigaction_handler.sa_handler, to: Int.self)
    if handler == unsafeBitCast(SIG_IGN, to: Int.self) { Glibc.signal(signal.rawValue, SIG_DFL) }
  }

  private static func install(_ handler: Handler, for signal: Signal) -> sigaction {
    var action = sigaction()
    var previous = sigaction()
    action.__sigaction_handler.sa_handler = handler
    // SA_RESTART restarts interrupted system calls in other code.
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

  private static func isEqual(_ action: sigaction, _ handler: Handler) -> Bool {
    // Safety: both are null or addresses of functions of the same C signature.
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(handler, to: Int.self)
  }
}
