import RunnelStreams

extension Recorder {
  /// The recorded events as a marble string, with the description of each element as its name.
  ///
  ///     let recorder = scheduler.record(scheduler.cold("--a-(bc)-X"))
  ///     scheduler.run()
  ///     #expect(recorder.marbles == "--a-(bc)-X")
  ///
  /// Frame 0 is the scheduler's time zero, and one character is one tick. If the observation began
  /// later, `^` marks its start: `---^-a|`. The string ends with the last event. It is the shortest
  /// form in the grammar of ``MarbleDiagram``, so parsing it yields the same events.
  ///
  /// An event between two ticks has no marble notation. The string then describes that event
  /// instead, and equals no marble string.
  public var marbles: String {
    marbles { "\($0)" }
  }

  /// Returns the recorded events as a marble string, with the names that a dictionary has for the
  /// elements. An element that is not in the dictionary is named by its description.
  ///
  ///     let sizes = scheduler.hot("--a-b-|", values: ["a": 10, "b": 20])
  ///     let recorder = scheduler.record(sizes)
  ///     scheduler.run()
  ///     #expect(recorder.marbles(values: ["a": 10, "b": 20]) == "--a-b-|")
  public func marbles(values: [String: Element]) -> String where Element: Equatable {
    let names = values.sorted { $0.key < $1.key }
    return marbles { element in names.first { $0.value == element }?.key ?? "\(element)" }
  }

  private func marbles(named name: (Element) -> String) -> String {
    var events: [(frame: Int, event: StreamEvent<String, MarbleFailure>)] = []
    for entry in timedEvents {
      guard let frame = frame(of: entry.time) else {
        return "(\(entry.event) happened at \(entry.time), between two ticks of \(tick))"
      }
      events.append((frame, Self.named(entry.event, name)))
    }
    guard observedAt > .zero else { return MarbleDiagram(events).description }
    guard let observation = frame(of: observedAt) else {
      return "(the observation began at \(observedAt), between two ticks of \(tick))"
    }
    return MarbleDiagram(events, observation: observation).description
  }

  private func frame(of time: Duration) -> Int? {
    let (frame, rest) = time.attoseconds.quotientAndRemainder(dividingBy: tick.attoseconds)
    return rest == 0 ? Int(frame) : nil
  }

  private static func named(
    _ event: StreamEvent<Element, Failure>, _ name: (Element) -> String
  ) -> StreamEvent<String, MarbleFailure> {
    switch event {
    case .next(let element): .next(name(element))
    case .failed: .failed(MarbleFailure())
    case .completed: .completed
    }
  }
}
