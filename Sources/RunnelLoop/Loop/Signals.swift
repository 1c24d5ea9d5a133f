import Glibc
import RunnelStreams

extension EventLoop {
  /// Sends signals of the given kinds that reach the process.
  ///
  ///     loop.signals(.interrupt, .terminate).observeNext { show("\($0)") }
  ///
  /// *Events*: delivered on the loop, as any other event. Signals of one kind that arrive before
  /// delivery are combined into one. Any number of observers on any number of loops receive each
  /// signal; its previous disposition is suspended while it is observed. The stream never ends.
  /// Observing `.kill`, `.stop` or a signal that reports a fault traps.
  ///
  /// *Disposal*: disposing the last observation of a signal restores its previous disposition,
  /// which usually ends the process. A signal that is pending for that observer is dropped.
  public func signals(_ signals: Signal...) -> EventStream<Signal, Never> {
    self.signals(signals)
  }

  /// Sends signals of the kinds in a collection.
  ///
  ///     loop.signals([.user1, .user2]).observeNext { show("\($0)") }
  public func signals(_ signals: some Collection<Signal>) -> EventStream<Signal, Never> {
    let signals = Set(signals)
    for signal in signals {
      if let obstacle = signal.obstacle {
        fatalError("\(signal) cannot be observed: \(obstacle).")
      }
    }
    return .unguarded { observer in
      self.mustBeCurrent("observing signals")
      let inbox = self.signalInbox ?? SignalInbox(on: self)
      self.signalInbox = inbox
      inbox.add(SignalObserver(observer, signals, inbox))
    }
  }
}

/// The slot of a loop in the ``SignalTable``. It is claimed when the loop is created, so that
/// observing signals needs no further descriptor.
final class SignalSlot {
  // Safety: a slot is never freed, and no other loop uses it until it is released here.
  let pointer = SignalTable.claimSlot()

  deinit {
    SignalTable.release(pointer)
  }
}

/// The observed signals of one loop, from the first observation until the loop is released.
///
/// The loop delivers signals between closures, never inside one, so no queue is needed.
final class SignalInbox {
  private weak var loop: EventLoop?
  private let slotOwner: SignalSlot
  private var observers: [SignalObserver] = []
  private var counts: [Signal: Int] = [:]

  init(on loop: EventLoop) {
    self.loop = loop
    slotOwner = loop.signalSlot
    do {
      // Safety: the loop retains this object, and ends all watches before it releases it.
      _ = try Watch(slot.pointee.descriptor, for: .arrivals, on: loop) { [unowned self] in
        self.deliver()
      }
    } catch {
      fatalError("Signals cannot be observed. \(error)")
    }
  }

  private var slot: UnsafeMutablePointer<SignalTable.Slot> { slotOwner.pointer }

  deinit {
    // The loop is being released, and no thread runs it.
    for signal in counts.keys { SignalTable.stopMarking(signal, in: slot) }
    for signalObserver in observers { signalObserver.releaseObserver() }
  }

  func add(_ signalObserver: SignalObserver) {
    observers.append(signalObserver)
    for signal in signalObserver.signals {
      let count = counts[signal, default: 0]
      counts[signal] = count + 1
      if count == 0 { SignalTable.startMarking(signal, in: slot) }
    }
    unblock()
    signalObserver.begin()
  }

  /// Unblocks the observed signals on the loop's thread. Threads of Dispatch block all signals, and
  /// threads that they start inherit that mask.
  func unblock() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in counts.keys { sigaddset(&signals, signal.rawValue) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  func remove(_ signalObserver: SignalObserver) {
    loop?.mustBeCurrent("disposing an observation of signals")
    observers.removeAll { $0 === signalObserver }
    for signal in signalObserver.signals {
      let count = counts[signal, default: 0] - 1
      counts[signal] = count > 0 ? count : nil
      if count == 0 { SignalTable.stopMarking(signal, in: slot) }
    }
  }

  private func deliver() {
    let pending = slot.pointee.pending.exchange(0, ordering: .sequentiallyConsistent)
    guard pending != 0 else { return }
    // Observers that are added during delivery do not receive these signals (C3).
    let observers = observers
    for number in Int32(1)...64 where pending & Signal(rawValue: number).bit != 0 {
      for signalObserver in observers { signalObserver.send(Signal(rawValue: number)) }
    }
  }
}

final class SignalObserver: Teardown {
  let signals: Set<Signal>
  private var observer: Observer<Signal, Never>?
  private weak var inbox: SignalInbox?

  init(_ observer: Observer<Signal, Never>, _ signals: Set<Signal>, _ inbox: SignalInbox) {
    self.observer = observer
    self.signals = signals
    self.inbox = inbox
  }

  func begin() {
    observer?.observation.add(self)
  }

  func send(_ signal: Signal) {
    if signals.contains(signal) { observer?.next(signal) }
  }

  /// Releases the observer, which retains this object.
  func releaseObserver() {
    release(exchange(&observer, with: nil))
  }

  func tearDown() {
    // A loop that is being released releases the observers itself.
    guard let inbox else { return }
    releaseObserver()
    inbox.remove(self)
  }
}
