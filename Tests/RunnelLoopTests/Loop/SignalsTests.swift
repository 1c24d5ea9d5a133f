import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Serialized, because signals belong to the process. Each test uses its own signals, because other
/// suites run in parallel.
///
/// A signal that a test sends to this process is ignored before and after the test. Otherwise one
/// that is still queued after the last observation would end the process. Signals whose default
/// action is tested are sent to separate processes only.
@Suite(.serialized) struct SignalsTests {
  private static let sentOffsets = Array<Int32>(1...9) + Array(14...17)

  private static let areSentSignalsIgnored: Bool = {
    for offset in sentOffsets { Glibc.signal(__libc_current_sigrtmin() + offset, SIG_IGN) }
    return true
  }()

  init() {
    #expect(Self.areSentSignalsIgnored)
  }

  @Test func deliversOnTheLoop() async {
    await withLoop { loop in
      let log = EventLog<Signal>()
      let observation = Confined<Disposable?>(nil)
      loop.wait {
        observation.value = loop.signals(.realTime(1), .realTime(2)).observeNext { signal in
          if loop.isCurrent { log.add(signal) }
        }
      }
      send(.realTime(2))
      #expect(log.wait(for: 1) == [.realTime(2)])
      send(.realTime(1))
      #expect(log.wait(for: 2) == [.realTime(2), .realTime(1)])
      loop.wait { observation.value?.dispose() }
    }
  }

  @Test func allObserversReceiveSignal() async {
    await ManualContext.onThread { _ in
      let loops = (0..<6).map { EventLoop(name: "listener \($0)") }
      let log = EventLog<Int>()
      for (number, loop) in loops.enumerated() {
        loop.wait {
          loop.signals(.realTime(3)).observeNext { _ in log.add(number) }
          loop.signals(.realTime(3), .realTime(4)).observeNext { _ in log.add(number) }
        }
      }
      send(.realTime(3))
      #expect(log.wait(for: 12).sorted() == (0..<12).map { $0 / 2 })
      for loop in loops { stopAndJoin(loop) }
    }
  }

  @Test func pendingSignalsAreCombined() async {
    await withLoop { loop in
      let log = EventLog<Signal>()
      let bag = Confined<DisposeBag?>(nil)
      loop.wait {
        bag.value = DisposeBag()
        if let bag = bag.value {
          loop.signals(.realTime(5), .realTime(6)).observeNext { log.add($0) }.disposed(by: bag)
        }
        for _ in 0..<1_000 { raise(__libc_current_sigrtmin() + 6) }
        for _ in 0..<1_000 { raise(__libc_current_sigrtmin() + 5) }
      }
      log.wait(for: 2)
      send(.realTime(6))
      #expect(log.wait(for: 3) == [.realTime(5), .realTime(6), .realTime(6)])
      loop.wait { bag.value = nil }
    }
  }

  @Test func observerAddedDuringDeliveryGetsNoSignal() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let bag = Confined<DisposeBag?>(nil)
      loop.wait {
        let observations = DisposeBag()
        bag.value = observations
        loop.signals(.realTime(7), .realTime(8)).observeNext { signal in
          log.add("first \(signal == .realTime(7) ? 7 : 8)")
          guard signal == .realTime(7) else { return }
          loop.signals(.realTime(8)).observeNext { _ in log.add("late") }
            .disposed(by: observations)
        }.disposed(by: observations)
        raise(__libc_current_sigrtmin() + 7)
        raise(__libc_current_sigrtmin() + 8)
      }
      #expect(log.wait(for: 2) == ["first 7", "first 8"])
      send(.realTime(8))
      #expect(log.wait(for: 4) == ["first 7", "first 8", "first 8", "late"])
      loop.wait { bag.value = nil }
    }
  }

  @Test func observerDisposedDuringDeliveryGetsNoSignal() async {
    await withLoop { loop in
      let log = EventLog<String>()
      loop.wait {
        let second = Disposable()
        let first = loop.signals(.realTime(9)).observeNext { _ in
          log.add("first")
          second.dispose()
        }
        second.add(loop.signals(.realTime(9)).observeNext { _ in log.add("second") })
        loop.signals(.realTime(9)).take(1).observe(
          next: { _ in
            log.add("third")
            first.dispose()
          }, completed: { log.add("completed") })
        raise(__libc_current_sigrtmin() + 9)
      }
      #expect(log.wait(for: 3) == ["first", "third", "completed"])
      #expect(loop.wait { isIgnored(.realTime(9)) })
    }
  }

  @Test func lastDisposalRestoresDisposition() async {
    await withLoop { first in
      let second = EventLoop(name: "second")
      signal(__libc_current_sigrtmin() + 10, SIG_IGN)
      let observations = Confined<[Disposable]>([])
      let listen: @Sendable (EventLoop) -> Void = { loop in
        observations.value.append(loop.signals(.realTime(10), .realTime(11)).observeNext { _ in })
      }
      first.wait {
        listen(first)
        listen(first)
      }
      second.wait { listen(second) }
      first.wait {
        observations.value[0].dispose()
        observations.value[1].dispose()
      }
      #expect(!isDefault(.realTime(11)))
      second.wait { observations.value[2].dispose() }
      #expect(isDefault(.realTime(11)))
      #expect(isIgnored(.realTime(10)))
      stopAndJoin(second)
    }
  }

  @Test func keepsHandlerInstalledLater() async {
    await withLoop { loop in
      let observation = Confined<Disposable?>(nil)
      loop.wait { observation.value = loop.signals(.realTime(12)).observeNext { _ in } }
      signal(__libc_current_sigrtmin() + 12, SIG_IGN)
      loop.wait { observation.value?.dispose() }
      #expect(isIgnored(.realTime(12)))
    }
  }

  @Test func releasedLoopReleasesSignals() async {
    let isGone = await ManualContext.onThread { _ in
      var loop: EventLoop? = EventLoop(name: "brief")
      weak let observed = loop
      let log = EventLog<Void>()
      if let loop {
        loop.wait { [weak loop] in
          let probe = ReleaseProbe { log.add(()) }
          loop?.signals(.realTime(13)).observeNext { _ in withExtendedLifetime(probe) {} }
        }
        stopAndJoin(loop)
      }
      loop = nil
      log.wait(for: 1)
      return observed == nil && isDefault(.realTime(13))
    }
    #expect(isGone)
  }

  @Test func handlerPreservesErrno() async {
    await withLoop { loop in
      let kept = loop.wait {
        let observation = loop.signals(.realTime(14)).observeNext { _ in }
        defer { observation.dispose() }
        errno = 77
        pthread_kill(pthread_self(), __libc_current_sigrtmin() + 14)
        return errno
      }
      #expect(kept == 77)
    }
  }

  /// A signal arrives while a loop ends and is released. A late handler call must find a valid slot.
  ///
  /// Each delivery makes another thread send the next signal, so at most one is on its way. Real-time
  /// signals are queued, so a sender that does not wait can interrupt a thread for ever.
  @Test func loopsMayEndWhileSignalsArrive() async {
    await ManualContext.onThread { _ in
      let sender = EventLoop(name: "sender")
      for round in 0..<200 {
        let loop = EventLoop(name: "brief \(round)")
        let log = EventLog<Void>()
        let sendNext: @Sendable () -> Void = { sender.execute { send(.realTime(15)) } }
        loop.execute {
          loop.signals(.realTime(15)).observeNext { _ in
            log.add(())
            sendNext()
          }
          sendNext()
        }
        log.wait(for: 1)
        stopAndJoin(loop)
      }
      stopAndJoin(sender)
    }
  }

  @Test func restartedLoopReceivesPendingSignal() async {
    await withLoop { loop in
      let log = EventLog<Signal>()
      let observation = Confined<Disposable?>(nil)
      loop.wait { observation.value = loop.signals(.realTime(16)).observeNext { log.add($0) } }
      loop.stop()
      loop.join()
      send(.realTime(16))
      #expect(log.count == 0)
      loop.start()
      #expect(log.wait(for: 1) == [.realTime(16)])
      loop.wait { observation.value?.dispose() }
    }
  }

  @Test func unblocksSignalsOnLoopThread() async {
    await ManualContext.onThread { _ in
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, nil)
      let loop = EventLoop(name: "started with blocked signals")
      let log = EventLog<Signal>()
      loop.wait {
        _ = loop.signals(.realTime(17)).observeNext { log.add($0) }
        raise(__libc_current_sigrtmin() + 17)
      }
      #expect(log.wait(for: 1) == [.realTime(17)])
      stopAndJoin(loop)
      loop.start()
      loop.wait { _ = raise(__libc_current_sigrtmin() + 17) }
      #expect(log.wait(for: 2) == [.realTime(17), .realTime(17)])
      stopAndJoin(loop)
    }
  }

  @Test func mainLoopReceivesSignals() async {
    await withFixture(["signals"]) { fixture in
      #expect(fixture.readLine() == "ready")
      for signal in [Signal.user1, .hangup, .user2, .user1] {
        fixture.send(signal)
        #expect(fixture.readLine() == "\(signal)")
      }
      fixture.send(.terminate)
      #expect(fixture.readLine() == "end")
      #expect(fixture.wait() == .exit(0))
    }
  }

  @Test func brokenPipeEndsOnlyChildren() async {
    await withFixture(["brokenPipe"]) { fixture in
      #expect(fixture.remainingLines() == ["EPIPE"])
      #expect(fixture.wait() == .signal(.brokenPipe))
    }
  }

  @Test func keepsDispositionOfBrokenPipe() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      _ = EventLoop.main
      if !isIgnored(.brokenPipe) { exit(1) }
    }
  }

  @Test(arguments: [
    (Signal.kill, "SIGKILL cannot be observed"), (.stop, "SIGSTOP cannot be observed"),
    (Signal(rawValue: SIGSEGV), "forever"), (Signal(rawValue: 0), "no such signal"),
    (Signal(rawValue: -1), "no such signal"), (Signal(rawValue: 32), "C library"),
    (Signal(rawValue: 65), "no such signal"),
  ])
  func unobservableSignalTraps(_ signal: Signal, _ message: String) async throws {
    let number = signal.rawValue
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [number = number as Int32] in
      _ = EventLoop.main.signals(Signal(rawValue: number))
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains(message))
  }

  @Test func observingOffLoopTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = EventLoop(name: "other")
      loop.signals(.user1).observeNext { _ in }
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("observing signals is allowed only on the thread of its EventLoop"))
  }

  @Test func unobservedSignalEndsProcess() async {
    await #expect(processExitsWith: .signal(SIGUSR1)) {
      let loop = EventLoop(name: "test")
      loop.wait {
        let log = EventLog<Signal>()
        let observation = loop.signals(.user1).observeNext { log.add($0) }
        raise(SIGUSR1)
        observation.dispose()
        raise(SIGUSR1)
      }
    }
  }
}

/// Sends a signal to this process.
private func send(_ signal: Signal) {
  kill(getpid(), signal.rawValue)
}

/// Returns the disposition of a signal: 0 is the default, 1 means that it is ignored.
private func disposition(of signal: Signal) -> Int {
  var action = sigaction()
  sigaction(signal.rawValue, nil, &action)
  return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
}

private func isDefault(_ signal: Signal) -> Bool { disposition(of: signal) == 0 }

private func isIgnored(_ signal: Signal) -> Bool { disposition(of: signal) == 1 }

private func stopAndJoin(_ loop: EventLoop) {
  loop.stop()
  loop.join()
}

/// An object that runs an action when it is released.
private final class ReleaseProbe {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  deinit { action() }
}
