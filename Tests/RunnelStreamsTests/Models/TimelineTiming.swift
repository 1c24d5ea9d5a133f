/// The reference of operators that wait, or that choose between inner streams. An event of the
/// source precedes a timer that is due at the same time.
extension Timeline {
  func debounced(_ quiet: Int) -> Timeline {
    var result: [Moment] = []
    for (index, moment) in moments.enumerated() {
      guard case .next = moment.what else {
        result.append(moment)
        continue
      }
      let following = index + 1 < moments.count ? moments[index + 1] : nil
      guard let following, following.time <= moment.time + quiet else {
        result.append(Moment(time: moment.time + quiet, what: moment.what))
        continue
      }
      if following.what == .completed {
        result.append(Moment(time: following.time, what: moment.what))
      }
    }
    return Timeline(result)
  }

  func throttled(_ span: Int, latest: Bool) -> Timeline {
    var result: [Moment] = []
    var spanEnd: Int?
    var waiting: What?
    func endSpans(before time: Int) {
      while let due = spanEnd, due < time || due == time && waiting == nil {
        spanEnd = nil
        guard let element = waiting else { return }
        result.append(Moment(time: due, what: element))
        waiting = nil
        spanEnd = due + span
      }
    }
    for moment in moments {
      endSpans(before: moment.time)
      switch (moment.what, spanEnd) {
      case (.next, nil):
        result.append(moment)
        spanEnd = moment.time + span
      case (.next, .some): if latest { waiting = moment.what }
      case (.completed, let due):
        if let due, let element = waiting {
          result += [Moment(time: due, what: element), Moment(time: due, what: .completed)]
        } else {
          result.append(moment)
        }
      case (.failed, _): result.append(moment)
      }
    }
    if end == nil { endSpans(before: .max / 2) }
    return Timeline(result)
  }

  func delayed(_ delay: Int) -> Timeline {
    let late = moments.map { moment in
      moment.what == .failed ? moment : Moment(time: moment.time + delay, what: moment.what)
    }
    guard let end = late.last, end.what == .failed else { return Timeline(late) }
    return Timeline(late.dropLast().filter { $0.time < end.time } + [end])
  }

  /// Returns the events, and a failure as soon as none has come for longer than `limit`.
  func timedOut(_ limit: Int) -> Timeline {
    var deadline = limit
    for (index, moment) in moments.enumerated() {
      if moment.time > deadline {
        return Timeline(moments.prefix(index) + [Moment(time: deadline, what: .failed)])
      }
      deadline = moment.time + limit
    }
    return Timeline(moments + [Moment(time: deadline, what: .failed)])
  }

  func sampled(by trigger: Timeline) -> Timeline {
    var latest: Int?
    var hasCompleted = false
    var result: [Moment] = []
    for (side, moment) in Timeline.interleaved([self, trigger]) {
      switch (moment.what, side) {
      case (.next(let value), 0): latest = value
      case (.failed, _): result.append(moment)
      case (.completed, 0):
        if latest == nil { result.append(moment) }
        hasCompleted = true
      case (.next, _), (.completed, _):
        if let value = latest { result.append(Moment(time: moment.time, what: .next(value))) }
        latest = nil
        if hasCompleted || moment.what == .completed {
          result.append(Moment(time: moment.time, what: .completed))
        }
      }
    }
    return Timeline(result)
  }

  func taking(until time: Int) -> Timeline {
    Timeline(moments.filter { $0.time <= time } + [Moment(time: time, what: .completed)])
  }

  func skipping(until time: Int) -> Timeline {
    replacing(elements.filter { $0.time > time })
  }

  /// Returns the events of each inner stream until the next one begins.
  func flatMappedToLatest(_ transform: (Int) -> Reference) -> Timeline {
    let inner = elements.enumerated().map { index, element in
      let timeline = transform(element.value)(element.time)
      guard index + 1 < elements.count else { return timeline }
      let next = elements[index + 1].time
      return Timeline(timeline.moments.filter { $0.time <= next && $0.what != .completed })
    }
    return Timeline.merged(self, inner, endingWith: inner.suffix(1).count)
  }

  /// Returns the events of the inner streams that begin while none is running.
  func flatMappedToFirst(_ transform: (Int) -> Reference) -> Timeline {
    var inner: [Timeline] = []
    var nextStart = Int.min
    for (time, value) in elements where time >= nextStart {
      let timeline = transform(value)(time)
      inner.append(timeline)
      nextStart = timeline.completion ?? .max
    }
    return Timeline.merged(self, inner, endingWith: inner.count)
  }
}
