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
  /// *Waiting*: a source that can wait, such as a connection or a pipe, pauses while the section or the
  /// observer of its results is behind, within the limits of `backlog`. For other sources, `buffering`
  /// says which elements are kept.
  ///
  /// *Disposal*: the observer receives nothing after disposal (C4). The section receives nothing
  /// more, and is torn down by a job on its own context. A closure that is running there finishes.
  @inlinable
  public func via<Output: Sendable>(
    _ context: any ExecutionContext,
    buffering: StreamBuffering = .unbounded, backlog: Backlog? = nil,
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line,
    _ section: @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    let location = SourceLocation(file: file, line: line)
    return crossing(
      to: context, Crossing(backlog, buffering, at: location), from: isolation, section)
  }

  /// The implementation of `via`, in which the section may change the failure type. A second
  /// failure type in the signature of `via` itself would break the inference of later closures.
  @inlinable
  func crossing<Output: Sendable, NewFailure: Error>(
    to context: any ExecutionContext, _ crossing: Crossing,
    from actor: (any Actor)?,
    _ section:
      @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, NewFailure>
  ) -> EventStream<Output, NewFailure> {
    let source = link
    return .unguarded(after: source) { observer in
      let home = Current.context(orOf: actor)
      // With an actor, the compiler keeps the source in it, and no check is needed.
      let threadHome = actor == nil ? home : nil
      let far = Section<Element, Failure>(on: context, crossing)
      let results = Arrival<Output, NewFailure>(
        next: { observer.next($0) }, end: { observer.end($0) })
      observer.observation.add(results)
      observer.observation.add(SectionEnd(far, threadHome))
      far.begin(section, to: Passage(to: home, crossing.back, into: results))

      let upstream = Disposable()
      observer.observation.add(upstream)
      let departure = Departure(to: far.input, from: home)
      source.start(
        in: upstream,
        next: { element in
          requireHome(threadHome)
          // A source with a loop blocks this thread, so it must be stopped here (C8).
          if departure.isClosed { upstream.dispose() } else { departure.next(element) }
        },
        end: { departure.end($0) })
    }
  }
}

/// Traps if the source is used in another domain than the one that observes it, to which the
/// results return.
///
/// The compiler does not catch this when a function without an actor observes, and its result is
/// sent to another domain.
@usableFromInline
func requireHome(_ home: (any ExecutionContext)?) {
  require(
    home?.admitsCaller ?? true,
    """
    The source of a via or observe(on:) is used on another thread than the one that observes \
    it, to which the results return. Observe it in the domain that uses it, or in an actor.
    """)
}

/// The section of a stream that `via` runs on another context: a handle, for the observing side, to a
/// subject and an observation that only exist there.
// Safety: `observation` is only used in jobs of `strand`, one at a time. The deinit hands it to
// `strand`, where it is released.
@usableFromInline
final class Section<Element: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline let strand: Strand
  /// The elements on their way to the section.
  @usableFromInline let input: Passage<Element, Failure>
  @usableFromInline var observation: Disposable?

  @inlinable
  init(on context: any ExecutionContext, _ crossing: Crossing) {
    strand = Strand(on: context)
    input = Passage(to: strand, crossing)
  }

  deinit {
    strand.letGo(&observation)
  }

  @inlinable
  func begin<Output: Sendable, NewFailure: Error>(
    _ build: @escaping @Sendable (EventStream<Element, Failure>) -> EventStream<Output, NewFailure>,
    to results: Passage<Output, NewFailure>
  ) {
    strand.execute {
      if self.input.isClosed { return }
      let subject = Subject<Element, Failure>()
      let observation = Disposable()
      self.input.begin(Arrival(next: { subject.next($0) }, end: { subject.end($0) }))
      self.observation = observation
      let departure = Departure(to: results, from: self.strand)
      build(subject.stream).start(
        in: observation,
        next: { departure.next($0) },
        end: { termination in
          self.input.close()
          self.observation = nil
          departure.end(termination)
        })
    }
  }

  /// Called where the source is.
  func close() {
    // A section that has ended needs no job.
    if input.isClosed { return }
    input.cancel()
    strand.execute {
      self.input.close()
      self.observation.take()?.dispose()
    }
  }
}

/// Closes the section when the observation ends.
@usableFromInline
final class SectionEnd<Element: Sendable, Failure: Error>: Teardown {
  private let section: Section<Element, Failure>
  private let home: (any ExecutionContext)?

  @usableFromInline
  init(_ section: Section<Element, Failure>, _ home: (any ExecutionContext)?) {
    self.section = section
    self.home = home
  }

  @usableFromInline
  func tearDown() {
    requireHome(home)
    section.close()
  }
}
