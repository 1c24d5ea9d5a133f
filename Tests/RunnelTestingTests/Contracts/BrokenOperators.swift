import RunnelStreams
import RunnelTesting

typealias Source = EventStream<ContractElement, ContractFailure>
typealias Operation = (Source, ContractProbe) -> Source

/// Operators with one typical mistake each.
enum BrokenOperators {
  // MARK: - Grammar

  /// Sends an element after the end.
  static func sendsAfterEnd(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(
        Observer(
          forwardingTo: observer,
          end: { end in
            observer.end(end)
            observer.next(ContractElement(0))
          }))
    }
  }

  /// Sends its first element while it already observes its source, so that an observer that sends
  /// is re-entered.
  static func reenters(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(observer)
      observer.next(ContractElement(0))
    }
  }

  // MARK: - Failures

  static func losesTheFailure(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(
        under: observer.observation, next: observer.next,
        end: { end in
          if case .completed = end { observer.completed() }
        })
    }
  }

  /// Has no pending work, and yet its source stays active after the end.
  static func leavesTheSourceActive(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(Observer(forwardingTo: observer, end: { _ in }))
    }
  }

  static func completesOnFailure(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(Observer(forwardingTo: observer, end: { _ in observer.completed() }))
    }
  }

  static func losesTheFailureOfAnInnerStream(_ source: Source, _ probe: ContractProbe) -> Source {
    flatten(source, probe) { output, end in }
  }

  // MARK: - Disposal

  /// Observes its source with a disposable that is never disposed.
  static func leaksItsSource(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(in: Disposable(), next: observer.next, end: observer.end)
    }
  }

  /// Adds the observation of its source after sending, which is too late for a source that loops.
  static func attachesItsSourceLate(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      let child = Disposable()
      source.start(in: child, next: observer.next, end: observer.end)
      observer.observation.add(child)
    }
  }

  /// Keeps an inner stream active after disposal.
  static func leaksAnInnerStream(_ source: Source, _ probe: ContractProbe) -> Source {
    flatten(source, probe, isAttached: false) { output, end in output.end(end) }
  }

  /// Creates a retain cycle of its state, which retains the user's closure.
  static func leaksAClosure(_ source: Source, _ probe: ContractProbe) -> Source {
    .unguarded { observer in
      let cycle = Cycle()
      cycle.body = { element in
        withExtendedLifetime(cycle) { probe.touch() }
        observer.next(element)
      }
      source.start(Observer(before: observer) { cycle.body($0) })
    }
  }

  /// Does not cancel its timer.
  static func keepsATimer(_ source: Source, _ probe: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(
        Observer(before: observer) { element in
          observer.next(element)
          _ = probe.scheduler.schedule(after: .seconds(1_000)) {}
        })
    }
  }

  /// Calls the user's closure again after the observer has disposed.
  static func callsAClosureAfterDispose(_ source: Source, _ probe: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(
        Observer(before: observer) { element in
          observer.next(element)
          probe.touch()
        })
    }
  }

  /// Continues its own loop after disposal.
  static func ignoresDisposalInALoop(_ source: Source, _ probe: ContractProbe) -> Source {
    .unguarded { observer in
      source.start(
        Observer(before: observer) { element in
          for _ in 1...3 {
            probe.touch()
            observer.next(element)
          }
        })
    }
  }

  // MARK: - End

  static func tearsDownBeforeTheEnd(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      let child = Disposable()
      observer.observation.add(child)
      source.start(
        Observer(
          next: observer.next,
          end: { end in
            child.dispose()
            observer.end(end)
          }, observation: child))
    }
  }

  // MARK: - Observations

  static func observesEagerly(_ source: Source, _: ContractProbe) -> Source {
    let relay = Subject<ContractElement, ContractFailure>()
    source.start(in: Disposable(), next: relay.next, end: relay.end)
    return relay.stream
  }

  /// Counts in a variable that all observations share.
  static func sharesItsState(_ source: Source, _: ContractProbe) -> Source {
    var count = 0
    return .unguarded { observer in
      source.start(
        Observer(before: observer) { _ in
          count += 1
          observer.next(ContractElement(count))
        })
    }
  }

  /// Delivers to the last observer first.
  static func deliversToTheLastObserverFirst(_ source: Source, _: ContractProbe) -> Source {
    let crowd = Crowd(source)
    return .unguarded { crowd.add($0) }
  }

  // MARK: - Time and memory

  static func sendsLater(_ source: Source, _ probe: ContractProbe) -> Source {
    .unguarded { observer in
      let output = SerializedObserver(observer)
      source.start(
        Observer(
          next: { element in
            observer.observation.add(
              probe.scheduler.schedule(after: .zero) { output.next(element) })
          }, end: output.end, observation: observer.observation))
    }
  }

  /// Releases the old element while the variable is being modified.
  static func releasesWhileItChanges(_ source: Source) -> Source {
    .unguarded { observer in
      var latest: ContractElement?
      observer.observation.add { if latest != nil { latest = nil } }
      source.start(
        Observer(before: observer) { element in
          latest = element
          observer.next(element)
        })
    }
  }

  static func keepsEveryElement(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      var all: [ContractElement] = []
      source.start(
        Observer(before: observer) { element in
          all.append(element)
          observer.next(element)
        })
    }
  }

  /// Creates a subject that is observed forever by a closure that retains it.
  static func keepsASubject(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      let relay = PushStream<Int>()
      relay.observeNext { _ in withExtendedLifetime(relay) {} }
      source.start(observer)
    }
  }

  /// Continues after the end of its source, and retains it.
  static func keepsItsSource(_ source: Source, _: ContractProbe) -> Source {
    .unguarded { observer in
      observer.observation.add { withExtendedLifetime(source) {} }
      source.append(.never).catch { _ in .never }.start(observer)
    }
  }
}

// MARK: - Helpers

private func flatten(
  _ source: Source, _ probe: ContractProbe, isAttached: Bool = true,
  innerEnded:
    @escaping (SerializedObserver<ContractElement, ContractFailure>, Termination<ContractFailure>)
    ->
    Void
) -> Source {
  .unguarded { observer in
    let output = SerializedObserver(observer)
    source.start(
      Observer(
        next: { element in
          let child = Disposable()
          if isAttached { observer.observation.add(child) }
          probe.inner(element).start(
            in: child, next: output.next,
            end: { end in
              if case .failed = end { innerEnded(output, end) }
            })
        }, end: output.end, observation: observer.observation))
  }
}

private final class Cycle {
  var body: (ContractElement) -> Void = { _ in }
}

private final class Crowd {
  private let source: Source
  private var observers: [Observer<ContractElement, ContractFailure>] = []
  private var connection: Disposable?

  init(_ source: Source) {
    self.source = source
  }

  func add(_ observer: Observer<ContractElement, ContractFailure>) {
    observers.insert(observer, at: 0)
    observer.observation.add { self.remove(observer.observation) }
    guard connection == nil, !observers.isEmpty else { return }
    let connection = Disposable()
    self.connection = connection
    source.start(
      in: connection,
      next: { element in for observer in self.observers { observer.next(element) } },
      end: { end in for observer in self.observers { observer.end(end) } })
  }

  private func remove(_ observation: Disposable) {
    observers.removeAll { $0.observation === observation }
    guard observers.isEmpty else { return }
    connection?.dispose()
    connection = nil
  }
}
