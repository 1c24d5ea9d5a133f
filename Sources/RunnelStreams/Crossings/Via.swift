import Synchronization

extension StreamProtocol where Element: Sendable {
  /// Runs a section of the stream on another context. Its results return to this one.
  ///
  ///     source                  --1----2----3--|
  ///     on the other context    ---1----2----3--|
  ///     via(loop) { $0 }        ----1----2----3--|
  ///
  ///     measurements.via(loop) { $0.map(slowly) }.observeNext { show($0) }
  ///
  /// The section is built and observed on the other context, once for each observation. Its objects
  /// are created, used and released there. Its source is a hot stream: an observer that is added
  /// later misses earlier elements. A section on a pool also handles one event at a time.
  ///
  /// *Events*: elements and the end pass in order, both ways. Results return to the context that
  /// the stream is observed on: the actor that `via` is called in, or else the thread's context
  /// (C11). There they are delivered one at a time (C2).
  ///
  /// *Disposal*: the observer receives nothing after disposal (C4). The section receives nothing
  /// more, and is torn down by a job on its own context. A closure that is running there finishes.
  public func via<Output: Sendable>(
    _ context: any ExecutionContext,
    isolation: isolated (any Actor)? = #isolation,
    _ section: @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    crossing(to: context, from: isolation, section)
  }

  /// The implementation of `via`, in which the section may change the failure type. A second
  /// failure type in the signature of `via` itself would break the inference of later closures.
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
      let farSection = Section<Element, Failure>(on: context)
      // With an actor, the compiler keeps the source in it, and no check is needed.
      let threadHome = actor == nil ? home : nil
      observer.observation.add(SectionEnd(farSection, threadHome))
      farSection.begin(section, to: homeObserver)

      let upstream = Disposable()
      observer.observation.add(upstream)
      let handle = SourceReference(to: farSection)
      source.start(
        in: upstream,
        next: { element in
          requireHome(threadHome)
          // A source with a loop blocks this thread, so it must be stopped here (C8).
          if farSection.isClosed { upstream.dispose() } else { handle.section.next(element) }
        },
        end: { handle.section.end($0) })
    }
  }
}

/// Traps if the source is used in another domain than the one that observes it, to which the
/// results return.
///
/// The compiler does not catch this when a function without an actor observes, and its result is
/// sent to another domain.
private func requireHome(_ home: (any ExecutionContext)?) {
  require(
    home?.admitsCaller ?? true,
    """
    The source of a via or observe(on:) is used on another thread than the one that observes \
    it, to which the results return. Observe it in the domain that uses it, or in an actor.
    """)
}

/// The far side of `via`: a handle for the observing side to a subject and an observation that only
/// exist on the other context.
// Safety: `input` and `observation` are only used in jobs of `strand`, one at a time. The deinit
// hands them to `strand`, where they are released.
private final class Section<Element: Sendable, Failure: Error>: @unchecked Sendable {
  private let strand: Strand
  private let closed = Atomic(false)
  private var input: Subject<Element, Failure>?
  private var observation: Disposable?

  init(on context: any ExecutionContext) {
    strand = Strand(on: context)
  }

  deinit {
    strand.letGo(&input)
    strand.letGo(&observation)
  }

  /// True if the section has ended or was closed. Events that are sent to it are dropped.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  func begin<Output: Sendable, NewFailure: Error>(
    _ build: @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, NewFailure>,
    to homeObserver: HomeObserver<Output, NewFailure>
  ) {
    enter {
      let input = Subject<Element, Failure>()
      let observation = Disposable()
      self.input = input
      self.observation = observation
      build(input.stream).start(
        in: observation,
        next: { homeObserver.next($0) },
        end: { termination in
          self.closed.store(true, ordering: .releasing)
          self.input = nil
          self.observation = nil
          homeObserver.end(termination)
        })
    }
  }

  func next(_ element: Element) {
    enter { self.input?.next(element) }
  }

  func end(_ termination: Termination<Failure>) {
    enter { self.input?.end(termination) }
  }

  /// Releases the input, because the source was released without an end.
  func releaseInput() {
    enter { self.input = nil }
  }

  func close() {
    guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    strand.execute {
      self.observation?.dispose()
      self.observation = nil
      self.input = nil
    }
  }

  private func enter(_ job: @escaping @Sendable () -> Void) {
    strand.execute { if !self.isClosed { job() } }
  }
}

/// The reference from the source to its section. When a source is released without an end, the
/// input of the section must be released too. Otherwise the section, which the input
/// references, would keep itself alive.
private final class SourceReference<Element: Sendable, Failure: Error> {
  let section: Section<Element, Failure>

  init(to section: Section<Element, Failure>) {
    self.section = section
  }

  deinit { section.releaseInput() }
}

/// Closes the section when the observation ends.
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
