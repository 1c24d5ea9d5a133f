import Synchronization

extension StreamProtocol where Element: Sendable {
  /// Lets a section of the stream run on another context; what it sends comes back to this one.
  ///
  ///     source                  --1----2----3--|
  ///     on the other context    ---1----2----3--|
  ///     via(loop) { $0 }        ----1----2----3--|
  ///
  ///     measurements.via(loop) { $0.map(slowly) }.observeNext { show($0) }
  ///
  /// The section is built and observed there, once for each observation, so what it makes is made,
  /// used and released there. The stream that it is given is hot: who observes it late in the section
  /// has missed what came before. A section on a pool runs one event at a time too.
  ///
  /// *Events*: elements and the end pass in order, both ways. They come back to the context that the
  /// stream is observed on: the actor that `via` is called in, else that of the thread (C11). There
  /// they keep their turns (C2).
  ///
  /// *Disposal*: final at once for whoever observes (C4). The section is given nothing more, and is
  /// torn down on its own context as soon as that gets to it; a closure that runs there at the
  /// moment runs to its end.
  public func via<Output: Sendable>(
    _ context: any ExecutionContext,
    isolation: isolated (any Actor)? = #isolation,
    _ section: @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    crossing(to: context, from: isolation, section)
  }

  /// `via` where the section may change how the stream fails. A second failure type in the
  /// signature of `via` itself would keep the compiler from inferring the closures that follow it.
  func crossing<Output: Sendable, NewFailure: Error>(
    to context: any ExecutionContext,
    from actor: (any Actor)?,
    _ section:
      @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, NewFailure>
  ) -> EventStream<Output, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      let home = Current.context(orOf: actor)
      let homeObserver = HomeObserver(observer, at: home)
      let far = Section<Element, Failure>(on: context)
      // An actor is known to the compiler, which keeps the source in it.
      let threadHome = actor == nil ? home : nil
      observer.observation.add(SectionEnd(far, threadHome))
      far.begin(section, to: homeObserver)

      let upstream = Disposable()
      observer.observation.add(upstream)
      let supply = Supply(to: far)
      source.start(
        in: upstream,
        next: { element in
          requireHome(threadHome)
          // A source that loops would not hear of it otherwise: this thread is busy with it (C8).
          if far.isClosed { upstream.dispose() } else { supply.section.next(element) }
        },
        end: { supply.section.end($0) })
    }
  }
}

/// Traps where the source of a crossing is used in another domain than the one that it was observed
/// in, to which the results return. The compiler does not see that where a function without an
/// actor observes, and what it returns is sent elsewhere.
private func requireHome(_ home: (any ExecutionContext)?) {
  require(
    home?.admitsCaller ?? true,
    """
    The source of a via or observe(on:) is used on another thread than the one that it was observed on, \
    to which the results return. Observe it in the domain that uses it, or in an actor.
    """)
}

/// The far side of `via`: a handle that is called from home, around a subject and an observation
/// that only exist on the far context.
// Safety: `entrance` and `observation` are only touched in jobs of `strand`, one at a time; the
// deinit hands them over to be released there.
private final class Section<Element: Sendable, Failure: Error>: @unchecked Sendable {
  private let strand: Strand
  private let closed = Atomic(false)
  private var entrance: Subject<Element, Failure>?
  private var observation: Disposable?

  init(on context: any ExecutionContext) {
    strand = Strand(on: context)
  }

  deinit {
    strand.letGo(&entrance)
    strand.letGo(&observation)
  }

  /// Whether the section has ended or was closed: what is sent to it goes nowhere.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  func begin<Output: Sendable, NewFailure: Error>(
    _ build: @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, NewFailure>,
    to homeObserver: HomeObserver<Output, NewFailure>
  ) {
    enter {
      let entrance = Subject<Element, Failure>()
      let observation = Disposable()
      self.entrance = entrance
      self.observation = observation
      build(entrance.stream).start(
        in: observation,
        next: { homeObserver.next($0) },
        end: { termination in
          self.closed.store(true, ordering: .releasing)
          self.entrance = nil
          self.observation = nil
          homeObserver.end(termination)
        })
    }
  }

  func next(_ element: Element) {
    enter { self.entrance?.next(element) }
  }

  func end(_ termination: Termination<Failure>) {
    enter { self.entrance?.end(termination) }
  }

  /// Nothing will enter any more, and no end either.
  func leaveEntrance() {
    enter { self.entrance = nil }
  }

  func close() {
    guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    strand.execute {
      self.observation?.dispose()
      self.observation = nil
      self.entrance = nil
    }
  }

  private func enter(_ job: @escaping @Sendable () -> Void) {
    strand.execute { if !self.isClosed { job() } }
  }
}

/// What the source holds of its section. Where a source goes without an end, the section's entrance
/// goes with it: the section, which the entrance leads to, would keep itself alive otherwise.
private final class Supply<Element: Sendable, Failure: Error> {
  let section: Section<Element, Failure>

  init(to section: Section<Element, Failure>) {
    self.section = section
  }

  deinit { section.leaveEntrance() }
}

/// Closes the section when the observation at home ends.
private final class SectionEnd<Element: Sendable, Failure: Error>: Teardown {
  private let section: Section<Element, Failure>
  private let home: (any ExecutionContext)?

  init(_ section: Section<Element, Failure>, _ home: (any ExecutionContext)?) {
    self.section = section
    self.home = home
  }

  func tearDown() {
    requireHome(home)
    section.close()
  }
}
