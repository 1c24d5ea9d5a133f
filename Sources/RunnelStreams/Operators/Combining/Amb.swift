extension EventStream {
  /// Goes with the stream that sends first, and forgets the others.
  ///
  ///     a           -----1--2--3--|
  ///     b           --7--8----9---|
  ///     amb(a, b)   --7--8----9---|
  ///
  ///     EventStream.amb(api.load(), mirror.load()).observe(next: { show($0) })
  ///
  /// *Events*: the first event decides, be it an element or an end. A stream that sends while it is
  /// being observed wins before those behind it are observed. With no streams nothing ever happens.
  ///
  /// *Disposal*: the others are disposed before the first event is sent on.
  public static func amb(_ streams: EventStream...) -> EventStream {
    amb(streams)
  }

  /// Goes with the stream of a collection that sends first, and forgets the others.
  ///
  ///     a             -----1--2--3--|
  ///     b             --7--8----9---|
  ///     amb([a, b])   --7--8----9---|
  ///
  ///     EventStream.amb(mirrors.map { $0.load() }).observe(next: { show($0) })
  ///
  /// *Events*, *Disposal*: as with a list of streams.
  public static func amb(_ streams: some Collection<EventStream>) -> EventStream {
    .unguarded { observer in
      let race = Race(observer)
      for stream in streams where race.isOpen { race.enter(stream) }
    }
  }
}

/// One run of `amb`.
private final class Race<Element, Failure: Error> {
  private let observer: Observer<Element, Failure>
  private let losers = CompositeDisposable()
  private var winner: Disposable?

  init(_ observer: Observer<Element, Failure>) {
    self.observer = observer
    observer.observation.add(losers)
  }

  /// Whether another stream may still enter.
  var isOpen: Bool { winner == nil && observer.isActive }

  func enter(_ stream: EventStream<Element, Failure>) {
    let contender = Disposable()
    guard let key = losers.add(contender) else { return }
    stream.start(
      in: contender,
      next: { if self.leads(contender, key) { self.observer.next($0) } },
      end: { if self.leads(contender, key) { self.observer.end($0) } })
  }

  /// Whether it is the winner; the first to ask is.
  private func leads(_ contender: Disposable, _ key: CompositeDisposable.Key) -> Bool {
    if let winner { return winner === contender }
    winner = contender
    losers.remove(key)
    observer.observation.add(contender)
    losers.dispose()
    return true
  }
}
