import RunnelStreams

/// A parsed marble string: the events of each frame.
///
///     let diagram = try MarbleDiagram(parsing: "--a-(bc)-|")
///     print(diagram.marks.map(\.frame))  // [2, 4, 4, 6]
///
/// The complete grammar:
///
/// ```text
/// diagram  =  { frame }
/// frame    =  "-"  |  mark  |  "(" mark { mark } ")"
/// mark     =  element  |  "|"  |  "X"  |  "#"  |  "^"
/// element  =  any other character  |  "<" { character other than ">"  |  ">>" } ">"
/// ```
///
/// - A frame lasts one tick of the scheduler. The first frame is number 0.
/// - `-` is a frame without events.
/// - A single mark is a frame with one event. Marks in parentheses are events of one frame, in
///   their order. A group takes one frame, however many characters it has.
/// - An element is named by one character, or by several in angle brackets: `-<10>-<twelve>|`. A
///   `>` within a name is written twice. Names with a special meaning need brackets: `<X>`, `<->`.
/// - `|` is completion. `X` is failure, and so is `#`. After the end only `-` may follow.
/// - `^`, at most once, is the start of the observation. For a hot stream it is the present: events
///   before it have already happened. A cold stream has no `^`.
/// - White space outside of names is ignored.
public struct MarbleDiagram: Sendable {
  /// An event in a frame.
  public struct Mark: Hashable, Sendable {
    /// The number of the frame, from 0.
    public let frame: Int
    /// The event: an element by its name, or the end.
    public let event: StreamEvent<String, MarbleFailure>
    /// The position in the string, from 1; 0 if the mark was not parsed from a string.
    public let position: Int
  }

  /// The events in order.
  public let marks: [Mark]
  /// The frame of `^`, or nil.
  public let observation: Int?
  let observationPosition: Int?
  let source: String

  /// Parses a marble string. Throws an error with the position of a mistake.
  public init(parsing string: String) throws(MarbleError) {
    var parser = MarbleParser(string)
    try parser.parse()
    marks = parser.marks
    observation = parser.observation
    observationPosition = parser.observationPosition
    source = string
  }

  /// Creates a diagram of events, which must be in the order of their frames.
  public init(
    _ events: [(frame: Int, event: StreamEvent<String, MarbleFailure>)], observation: Int? = nil
  ) {
    require(
      zip(events, events.dropFirst()).allSatisfy { $0.frame <= $1.frame },
      "The events of a MarbleDiagram are out of order. Sort them by frame.")
    marks = events.map { Mark(frame: $0.frame, event: $0.event, position: 0) }
    self.observation = observation
    observationPosition = nil
    source = ""
  }

  /// Parses a string that is part of a test. A mistake traps.
  init(trusting string: String) {
    do throws(MarbleError) {
      self = try MarbleDiagram(parsing: string)
    } catch {
      fatalError("\(error)")
    }
  }
}

extension MarbleDiagram {
  /// Returns the events with the values of their names, and their times from frame 0.
  func events<Element, Failure>(
    tick: Duration, failure: Failure?, value: (String) -> Element?
  ) throws(MarbleError) -> [Timed<StreamEvent<Element, Failure>>] {
    var events: [Timed<StreamEvent<Element, Failure>>] = []
    for mark in marks {
      let event: StreamEvent<Element, Failure>
      switch mark.event {
      case .next(let name):
        guard let value = value(name) else {
          throw MarbleError(.unknownName(name), at: mark.position, in: source)
        }
        event = .next(value)
      case .failed:
        guard let failure else { throw MarbleError(.noFailure, at: mark.position, in: source) }
        event = .failed(failure)
      case .completed: event = .completed
      }
      events.append(Timed(tick.times(mark.frame), event))
    }
    return events
  }
}

extension MarbleDiagram: CustomStringConvertible {
  /// The diagram as the shortest marble string: without white space, without frames after the last
  /// mark, with parentheses only around several events, and with `X` for a failure.
  public var description: String {
    var frames: [Int: [String]] = [:]
    if let observation { frames[observation] = ["^"] }
    for mark in marks { frames[mark.frame, default: []].append(Self.text(of: mark.event)) }
    guard let last = frames.keys.max() else { return "" }
    return (0...last).map { frame in
      let marks = frames[frame, default: ["-"]]
      return marks.count == 1 ? marks[0] : "(\(marks.joined()))"
    }.joined()
  }

  private static func text(of event: StreamEvent<String, MarbleFailure>) -> String {
    switch event {
    case .completed: "|"
    case .failed: "X"
    case .next(let name):
      if name.count == 1, let character = name.first, !MarbleParser.isReserved(character) {
        name
      } else {
        "<\(name.split(separator: ">", omittingEmptySubsequences: false).joined(separator: ">>"))>"
      }
    }
  }
}
