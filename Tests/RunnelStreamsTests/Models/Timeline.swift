/// A reference implementation: a stream is a list of timed events, and operators are loops over it.
struct Timeline: Equatable {
  struct Moment: Equatable {
    let time: Int
    let what: What
  }

  enum What: Equatable {
    case next(Int)
    case failed
    case completed
  }

  /// The events in order. Nothing follows a terminal event.
  var moments: [Moment]

  init(_ moments: [Moment]) {
    let end = moments.firstIndex { $0.what == .failed || $0.what == .completed }
    self.moments = end.map { Array(moments[...$0]) } ?? moments
  }

  var elements: [(time: Int, value: Int)] {
    moments.compactMap { moment in
      if case .next(let value) = moment.what { (moment.time, value) } else { nil }
    }
  }

  /// The terminal event, or nil.
  var end: Moment? {
    moments.last.flatMap { last in
      if case .next = last.what { nil } else { last }
    }
  }

  /// The time of completion, or nil.
  var completion: Int? { end?.what == .completed ? end?.time : nil }

  /// Returns a timeline with other elements and the same terminal event.
  func replacing(_ elements: [(time: Int, value: Int)]) -> Timeline {
    Timeline(
      elements.map { Moment(time: $0.time, what: .next($0.value)) } + (end.map { [$0] } ?? []))
  }

  /// Merges timelines by time. Events at the same time keep the order of the timelines.
  static func interleaved(_ timelines: [Timeline]) -> [(side: Int, moment: Moment)] {
    let all = timelines.enumerated().flatMap { side, timeline in
      timeline.moments.enumerated().map { (side: side, index: $0.offset, moment: $0.element) }
    }
    return all.sorted {
      ($0.moment.time, $0.side, $0.index) < ($1.moment.time, $1.side, $1.index)
    }.map { ($0.side, $0.moment) }
  }
}

/// A stream in the reference: returns the events that an observer sees from the given time on.
typealias Reference = (_ observedAt: Int) -> Timeline

// MARK: - Slow, obvious operators

extension Timeline {
  func appending(_ next: Reference) -> Timeline {
    guard let completion else { return self }
    return Timeline(moments.dropLast() + next(completion).moments)
  }

  func appendingToFailure(_ next: Reference) -> Timeline {
    guard let end, end.what == .failed else { return self }
    return Timeline(moments.dropLast() + next(end.time).moments)
  }

  func merged(with other: Timeline) -> Timeline {
    Timeline.merged(Timeline([Moment(time: 0, what: .completed)]), [self, other], endingWith: 2)
  }

  func zipped(with other: Timeline, _ combine: (Int, Int) -> Int) -> Timeline {
    var queues: [[Int]] = [[], []]
    var hasEnded = [false, false]
    var result: [Moment] = []
    for (side, moment) in Timeline.interleaved([self, other]) {
      switch moment.what {
      case .next(let value): queues[side].append(value)
      case .failed: result.append(moment)
      case .completed: hasEnded[side] = true
      }
      if !queues[0].isEmpty && !queues[1].isEmpty {
        let pair = combine(queues[0].removeFirst(), queues[1].removeFirst())
        result.append(Moment(time: moment.time, what: .next(pair)))
      }
      if (0...1).contains(where: { hasEnded[$0] && queues[$0].isEmpty }) {
        result.append(Moment(time: moment.time, what: .completed))
      }
    }
    return Timeline(result)
  }

  /// Returns the combination of two timelines. The other stream is observed first.
  func combined(withLatestFrom other: Timeline, _ combine: (Int, Int) -> Int) -> Timeline {
    var latest: Int?
    var result: [Moment] = []
    for (side, moment) in Timeline.interleaved([other, self]) {
      switch (moment.what, side) {
      case (.next(let value), 0): latest = value
      case (.next(let value), _):
        guard let latest else { continue }
        result.append(Moment(time: moment.time, what: .next(combine(value, latest))))
      case (.failed, _), (.completed, 1): result.append(moment)
      case (.completed, _): break
      }
    }
    return Timeline(result)
  }

  func combinedWithLatest(_ other: Timeline, _ combine: (Int, Int) -> Int) -> Timeline {
    var latest: [Int?] = [nil, nil]
    var running = 2
    var result: [Moment] = []
    for (side, moment) in Timeline.interleaved([self, other]) {
      switch moment.what {
      case .next(let value):
        latest[side] = value
        if let left = latest[0], let right = latest[1] {
          result.append(Moment(time: moment.time, what: .next(combine(left, right))))
        }
      case .failed: result.append(moment)
      case .completed:
        running -= 1
        if running == 0 || latest[side] == nil { result.append(moment) }
      }
    }
    return Timeline(result)
  }

  /// Returns each event as it is and then changed, for two observers of one run that began at
  /// `start`. The second observer begins after the run has sent its synchronous events.
  func shared(from start: Int, replay: Int, _ change: (Int) -> Int) -> Timeline {
    let missed = elements.filter { $0.time == start }
    // If the run has ended by then, the second observer starts another run with the same events.
    let caughtUp = end?.time == start ? missed : missed.suffix(replay)
    let early = (missed + caughtUp.map { ($0.time, change($0.value)) }).map { time, value in
      Moment(time: time, what: .next(value))
    }
    if let end, end.time == start {
      return end.what == .failed ? self : Timeline(early + [end])
    }
    let late = moments.dropFirst(missed.count).flatMap { moment in
      guard case .next(let value) = moment.what else { return [moment] }
      return [moment, Moment(time: moment.time, what: .next(change(value)))]
    }
    return Timeline(early + late)
  }

  /// Runs up to `limit` inner streams at a time. The others wait.
  func flatMapped(maxConcurrent limit: Int, _ select: (Int) -> Reference) -> Timeline {
    var inner: [Timeline] = []
    /// The times at which each running inner stream completes.
    var ends: [Int] = []
    for (time, value) in elements {
      ends.sort()
      let start = ends.count < limit ? time : max(time, ends.removeFirst())
      if start == .max { break }
      let timeline = select(value)(start)
      inner.append(timeline)
      ends.append(timeline.completion ?? .max)
    }
    return Timeline.merged(self, inner, endingWith: elements.count)
  }

  /// Merges the inner streams of a source. The result fails with the first failure. It completes
  /// after the source and `count` inner streams have completed. At equal times, the source's
  /// terminal event follows the events that its elements caused.
  static func merged(
    _ source: Timeline, _ inner: [Timeline], endingWith count: Int
  ) -> Timeline {
    var running = count + 1
    var result: [Moment] = []
    for (_, moment) in interleaved(inner + [source.replacing([])]) {
      switch moment.what {
      case .next, .failed: result.append(moment)
      case .completed:
        running -= 1
        if running == 0 { result.append(moment) }
      }
    }
    return Timeline(result)
  }
}
