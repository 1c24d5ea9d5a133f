import RunnelStreams
import RunnelTesting
import Testing

/// The timed operators on random scripts, compared with slow, obvious models.
@Suite struct TimingModelTests {
  typealias Event = StreamEvent<Int, ContractFailure>
  typealias Step = Timed<Event>

  @Test(arguments: 0..<300)
  func operatorsAgreeWithTheirModels(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let script = randomScript(&random)
    let span = Int.random(in: 0...6, using: &random)
    let duration = Duration.seconds(span)
    let note = "seed \(seed), \(span) s, \(script)"
    #expect(
      run(script) { $0.debounce(for: duration, on: $1) } == debounced(script, duration), "\(note)")
    #expect(run(script) { $0.delay(for: duration, on: $1) } == delayed(script, duration), "\(note)")
    #expect(
      run(script) { $0.throttle(for: duration, on: $1) } == throttled(script, duration), "\(note)")
    #expect(
      run(script) { $0.throttle(for: duration, latest: false, on: $1) }
        == leading(script, duration), "\(note)")
    #expect(
      run(script) { $0.timeout(after: duration, failingWith: ContractFailure(), on: $1) }
        == timedOut(script, duration), "\(note)")
  }

  private func run(
    _ script: [Step], _ operation: (NumberStream, TestScheduler) -> NumberStream
  ) -> [Step] {
    let scheduler = TestScheduler()
    let subject = NumberSubject()
    for step in script {
      _ = scheduler.schedule(at: step.time) { subject.send(step.event) }
    }
    let recorder = scheduler.record(operation(subject.stream, scheduler))
    scheduler.run()
    return recorder.timedEvents
  }

  /// Up to 12 elements, 0 to 5 seconds apart, then perhaps an end. At equal times the script comes
  /// before any timer, because it is scheduled first.
  private func randomScript(_ random: inout SeededGenerator) -> [Step] {
    var time = 0
    var script: [Step] = []
    for number in 0..<Int.random(in: 0...12, using: &random) {
      time += Int.random(in: 0...5, using: &random)
      script.append(at(time, .next(number)))
    }
    time += Int.random(in: 0...5, using: &random)
    switch Int.random(in: 0...2, using: &random) {
    case 0: script.append(at(time, .completed))
    case 1: script.append(at(time, .failed(ContractFailure())))
    default: break
    }
    return script
  }

  private func debounced(_ script: [Step], _ quiet: Duration) -> [Step] {
    var output: [Step] = []
    for (index, step) in script.enumerated() {
      guard step.event.termination == nil else {
        output.append(step)
        break
      }
      let due = step.time + quiet
      let following = index + 1 < script.count ? script[index + 1] : nil
      switch following {
      case let following? where following.time <= due:
        if following.event == .completed { output.append(Timed(following.time, step.event)) }
      default: output.append(Timed(due, step.event))
      }
    }
    return output
  }

  private func delayed(_ script: [Step], _ delay: Duration) -> [Step] {
    if let last = script.last, case .failed = last.event {
      return script.dropLast().map { Timed($0.time + delay, $0.event) }
        .filter { $0.time < last.time } + [last]
    }
    return script.map { Timed($0.time + delay, $0.event) }
  }

  private func leading(_ script: [Step], _ span: Duration) -> [Step] {
    var output: [Step] = []
    var spanEnd = Duration.zero
    for step in script {
      if step.event.element == nil {
        output.append(step)
      } else if step.time >= spanEnd {
        output.append(step)
        spanEnd = step.time + span
      }
    }
    return output
  }

  private func throttled(_ script: [Step], _ span: Duration) -> [Step] {
    var output: [Step] = []
    var spanEnd = Duration.zero
    var waiting: Event?
    for step in script {
      if let event = waiting, spanEnd < step.time {
        output.append(Timed(spanEnd, event))
        waiting = nil
        spanEnd += span
      }
      switch step.event {
      case .next:
        if waiting == nil && step.time >= spanEnd {
          output.append(step)
          spanEnd = step.time + span
        } else {
          waiting = step.event
        }
      case .failed:
        output.append(step)
        return output
      case .completed:
        if let event = waiting { output.append(Timed(spanEnd, event)) }
        output.append(Timed(waiting == nil ? step.time : spanEnd, .completed))
        return output
      }
    }
    if let event = waiting { output.append(Timed(spanEnd, event)) }
    return output
  }

  private func timedOut(_ script: [Step], _ limit: Duration) -> [Step] {
    var output: [Step] = []
    var deadline = limit
    for step in script {
      if step.time > deadline { break }
      output.append(step)
      if step.event.termination != nil { return output }
      deadline = step.time + limit
    }
    return output + [Timed(deadline, .failed(ContractFailure()))]
  }
}
