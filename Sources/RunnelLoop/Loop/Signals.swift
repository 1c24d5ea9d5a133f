import Glibc
import RunnelStreams

extension EventLoop {
  /// Sends the signals of the given kinds that the process is sent.
  ///
  ///     loop.signals(.interrupt, .terminate).observeNext { show("\($0)") }
  ///
  /// *Events*: on the loop, as any other event. Those of one kind that come while one waits to be
  /// delivered are one. Any number of observers on any number of loops may listen to one signal,
  /// and each gets it; while any does, the signal does nothing else. The stream never ends. Signals
  /// that cannot be listened to trap: `.kill`, `.stop`, and those that report a fault.
  ///
  /// *Disposal*: when the last observer of a signal has gone, what happened to it before the first
  /// one came happens again; mostly that ends the process. What waited for that observer is dropped.
  public func signals(_ signals: Signal...) -> EventStream<Signal, Never> {
    self.signals(signals)
  }

  /// Sends the signals of the kinds in a collection.
  ///
  ///     loop.signals([.user1, .user2]).observeNext { show("\($0)") }
  public func signals(_ signals: some Collection<Signal>) -> EventStream<Signal, Never> {
    let signals = Set(signals)
    for signal in signals {
      if let obstacle = signal.obstacle {
        fatalError("\(signal) cannot be listened to: \(obstacle).")
      }
    }
    return .unguarded { observer in
      self.mustBeCurrent("observing signals")
      let inbox = self.signalInbox ?? SignalInbox(on: self)
      self.signalInbox = inbox
      inbox.add(SignalListener(observer, signals, inbox))
    }
  }
}

/// The place of a loop in the ``SignalTable``. It is taken when the loop is made, so that listening to
/// signals needs no descriptor any more.
final class SignalSlot {
  // Safety: a slot is never freed, and nobody else has it until it is released here.
  let pointer = SignalTable.claimSlot()

  deinit {
    SignalTable.release(pointer)
  }
}

/// The signals of one loop, from the first that it listens to until it goes.
///
/// Signals are delivered by the loop itself, never while one of its closures runs, so nobody has to
/// queue them.
final class SignalInbox {
  private weak var loop: EventLoop?
  private let place: SignalSlot
  private var listeners: [SignalListener] = []
  private var counts: [Signal: Int] = [:]

  init(on loop: EventLoop) {
    self.loop = loop
    place = loop.signalSlot
    do {
      // Safety: the loop, which keeps this, ends all watches before it lets go of it.
      _ = try Watch(slot.pointee.descriptor, for: .arrivals, on: loop) { [unowned self] in
        self.deliver()
      }
    } catch {
      fatalError("Signals cannot be listened to. \(error)")
    }
  }

  private var slot: UnsafeMutablePointer<SignalTable.Slot> { place.pointer }

  deinit {
    // The loop goes, and no thread runs it.
    for signal in counts.keys { SignalTable.ignore(signal, in: slot) }
    for listener in listeners { listener.leave() }
  }

  func add(_ listener: SignalListener) {
    listeners.append(listener)
    for signal in listener.signals {
      let count = counts[signal, default: 0]
      counts[signal] = count + 1
      if count == 0 { SignalTable.listen(to: signal, in: slot) }
    }
    unblock()
    listener.begin()
  }

  /// Lets the calling thread, which is the loop's, be interrupted by what is listened to: threads
  /// of Dispatch block all signals, those that they start inherit it, and somebody must take them.
  func unblock() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in counts.keys { sigaddset(&signals, signal.rawValue) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  func remove(_ listener: SignalListener) {
    loop?.mustBeCurrent("disposing what listens to signals")
    listeners.removeAll { $0 === listener }
    for signal in listener.signals {
      let count = counts[signal, default: 0] - 1
      counts[signal] = count > 0 ? count : nil
      if count == 0 { SignalTable.ignore(signal, in: slot) }
    }
  }

  private func deliver() {
    let pending = slot.pointee.pending.exchange(0, ordering: .sequentiallyConsistent)
    guard pending != 0 else { return }
    // Whoever begins to listen now has not missed these, but was not there when they came.
    let listeners = listeners
    for number in Int32(1)...64 where pending & Signal(rawValue: number).bit != 0 {
      for listener in listeners { listener.tell(Signal(rawValue: number)) }
    }
  }
}

/// An observer of signals.
final class SignalListener: Teardown {
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

  func tell(_ signal: Signal) {
    if signals.contains(signal) { observer?.next(signal) }
  }

  /// Lets go of the observer, which would hold this in turn.
  func leave() {
    release(exchange(&observer, with: nil))
  }

  func tearDown() {
    leave()
    inbox?.remove(self)
  }
}
