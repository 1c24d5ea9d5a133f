extension EventStream {
  /// Returns a stream of parts that a closure makes one after another, as fast as they are used.
  ///
  ///     part 1              --1--2|
  ///     part 2              -3--|
  ///     pulled { part() }   --1--2-3--|
  ///
  ///     var page = 0
  ///     let pages = EventStream<String, Never>.pulled {
  ///       page += 1
  ///       return page > 1_000 ? nil : .perform(on: pool) { [page] in "page \(page)\n" }
  ///     }
  ///     pages.bind(to: client.writer)
  ///
  /// The stream pauses while a writer that it feeds is full, such as a connection or a response, or
  /// while many of its elements wait at `via` or `values`. It pauses between two parts, so a part
  /// should be short, such as 64 KiB.
  ///
  /// *Events*: the next part is made when the one before completes. A failure of a part ends the
  /// stream, and nil completes it.
  ///
  /// *Disposal*: disposes the present part. The closure is not called again.
  public static func pulled(_ part: @escaping () -> EventStream?) -> EventStream {
    .unguarded { observer in
      let source = PulledSource(observer, part)
      observer.observation.add(source)
      source.proceed()
    }
  }
}

/// Observes the parts of a pulled stream, for one observer.
private final class PulledSource<Element, Failure: Error>: PausableSource, Teardown {
  /// The observer and the closure that makes parts; nil after the end.
  private var target:
    (observer: Observer<Element, Failure>, part: () -> EventStream<Element, Failure>?)?
  private var part: Disposable?
  /// The number of places that are full.
  private var pauses = 0
  private var isLooping = false

  init(
    _ observer: Observer<Element, Failure>, _ part: @escaping () -> EventStream<Element, Failure>?
  ) {
    target = (observer, part)
  }

  func pause() {
    pauses += 1
  }

  func resume() {
    pauses -= 1
    proceed()
  }

  /// Observes the next part if it is time to. Parts that end at once are observed in a loop.
  func proceed() {
    if isLooping { return }
    isLooping = true
    defer { isLooping = false }
    while pauses == 0, part == nil, let target, target.observer.isActive {
      guard let stream = target.part() else {
        return end(.completed)
      }
      // The closure may have disposed the observation.
      if self.target != nil { observe(stream) }
    }
  }

  private func observe(_ stream: EventStream<Element, Failure>) {
    let part = Disposable()
    self.part = part
    stream.start(
      in: part,
      next: { [self] element in
        guard let observer = target?.observer else { return }
        Delivery.from(self) { observer.next(element) }
      },
      end: { [self] termination in
        self.part = nil
        if case .failed = termination { return end(termination) }
        proceed()
      })
  }

  private func end(_ termination: Termination<Failure>) {
    target.take()?.observer.end(termination)
  }

  func tearDown() {
    let target = target.take()
    part.take()?.dispose()
    withExtendedLifetime(target) {}
  }
}
