extension EventStream {
  /// Sends the events of the stream that is first to send one, and disposes the others.
  ///
  ///     a           -----1--2--3--|
  ///     b           --7--8----9---|
  ///     amb(a, b)   --7--8----9---|
  ///
  ///     EventStream.amb(api.load(), mirror.load()).observe(next: { show($0) })
  ///
  /// *Events*: the first event decides, whether it is an element, a completion or a failure. If a
  /// stream sends while it is being observed, the streams after it are not observed. With no
  /// streams, no event is ever sent.
  ///
  /// *Disposal*: the other streams are disposed before the first event is delivered.
  @inlinable
  public static func amb(_ streams: EventStream...) -> EventStream {
    amb(streams)
  }

  /// Sends the events of the stream in a collection that is first to send one, and disposes the
  /// others.
  ///
  ///     a             -----1--2--3--|
  ///     b             --7--8----9---|
  ///     amb([a, b])   --7--8----9---|
  ///
  ///     EventStream.amb(mirrors.map { $0.load() }).observe(next: { show($0) })
  ///
  /// *Events*, *Disposal*: as with a list of streams.
  @inlinable
  public static func amb(_ streams: some Collection<EventStream>) -> EventStream {
    if let links = streams.links() { return racing(links, afterSteps: links.mostSteps) }
    return racing(streams, afterSteps: 0)
  }

  @inlinable
  static func racing(_ streams: some Sequence<EventStream>, afterSteps steps: Int) -> EventStream {
    .unguarded(afterSteps: steps) { observer in
      let race = Race(observer)
      for stream in streams where race.isOpen { race.enter(stream) }
    }
  }

  /// Sends the events of the stream, property or control that is first to send one, and disposes
  /// the others.
  @_disfavoredOverload
  @inlinable
  public static func amb(_ sources: any StreamConvertible<Element, Failure>...) -> EventStream {
    amb(sources.map { $0.stream })
  }
}

/// The state of one observation of `amb`.
@usableFromInline
final class Race<Element, Failure: Error> {
  @usableFromInline let observer: Observer<Element, Failure>
  @usableFromInline let losers = CompositeDisposable()
  @usableFromInline var winner: Disposable?

  @inlinable
  init(_ observer: Observer<Element, Failure>) {
    self.observer = observer
    observer.observation.add(losers)
  }

  /// True while no stream has won and the observation is active.
  @inlinable
  var isOpen: Bool { winner == nil && observer.isActive }

  @inlinable
  func enter(_ stream: EventStream<Element, Failure>) {
    let contender = Disposable()
    guard let key = losers.add(contender) else { return }
    stream.start(
      in: contender,
      next: { if self.leads(contender, key) { self.observer.next($0) } },
      end: { if self.leads(contender, key) { self.observer.end($0) } })
  }

  /// Returns true if the contender has won. The first contender to call this wins.
  @inlinable
  func leads(_ contender: Disposable, _ key: CompositeDisposable.Key) -> Bool {
    if let winner { return winner === contender }
    winner = contender
    losers.remove(key)
    observer.observation.add(contender)
    losers.dispose()
    return true
  }
}
