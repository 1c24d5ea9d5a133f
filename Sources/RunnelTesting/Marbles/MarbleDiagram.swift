import RunnelStreams

/// A marble string, read: which events happen in which frame.
///
///     let diagram = try MarbleDiagram(parsing: "--a-(bc)-|")
///     print(diagram.marks.map(\.frame))  // [2, 4, 4, 6]
///
/// The grammar, in full:
///
/// ```text
/// diagram  =  { frame }
/// frame    =  "-"  |  mark  |  "(" mark { mark } ")"
/// mark     =  element  |  "|"  |  "X"  |  "#"  |  "^"
/// element  =  any other character  |  "<" { character other than ">"  |  ">>" } ">"
/// ```
///
/// - A frame lasts one tick of the scheduler. The first frame is number 0.
/// - `-` is a frame in which nothing happens.
/// - A mark by itself is a frame in which one thing happens; marks in parentheses happen in one
///   frame, in their order. A group takes one frame however long it is written.
/// - An element is named by one character, or by several in angle brackets: `-<10>-<twelve>|`. A `>`
///   within a name is written twice. So are the elements written whose names mean something else:
///   `<X>`, `<->`.
/// - `|` is completion; `X` is failure, and `#` another way to write it. After either only `-` may
///   follow.
/// - `^`, at most once, is the moment of observation. For a hot stream it is the present: what
///   stands before it has happened already. A cold stream has none.
/// - White space may stand anywhere outside of a name and means nothing.
public struct MarbleDiagram: Sendable {
  /// An event in a frame.
  public struct Mark: Hashable, Sendable {
    /// The frame, counted from 0.
    public let frame: Int
    /// What happens: an element by its name, or the end.
    public let event: StreamEvent<String, MarbleFailure>
    /// Where it stands in the string, counted from 1; 0 if it was not read from one.
    public let position: Int
  }

  /// The events in their order.
  public let marks: [Mark]
  /// The frame of `^`, if there is one.
  public let observation: Int?
  let observationPosition: Int?
  let source: String

  /// Reads a marble string, or says what is wrong with it and where.
  public init(parsing string: String) throws(MarbleError) {
    var parser = MarbleParser(string)
    try parser.parse()
    marks = parser.marks
    observation = parser.observation
    observationPosition = parser.observationPosition
    source = string
  }

  /// A diagram of events, which must be given in the order of their frames.
  public init(
    _ events: [(frame: Int, event: StreamEvent<String, MarbleFailure>)], observation: Int? = nil
  ) {
    require(
      zip(events, events.dropFirst()).allSatisfy { $0.frame <= $1.frame },
      "A MarbleDiagram needs its events in the order of their frames.")
    marks = events.map { Mark(frame: $0.frame, event: $0.event, position: 0) }
    self.observation = observation
    observationPosition = nil
    source = ""
  }

  /// Reads a string that a test was written with: a mistake in it traps.
  init(trusting string: String) {
    do throws(MarbleError) {
      self = try MarbleDiagram(parsing: string)
    } catch {
      fatalError("\(error)")
    }
  }
}

extension MarbleDiagram {
  /// The events with the values that their names stand for, and their times from frame 0.
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
      events.append(Timed(tick.multipliedWithSaturation(by: mark.frame), event))
    }
    return events
  }
}

extension MarbleDiagram: CustomStringConvertible {
  /// The diagram as a marble string, in its shortest form: no white space, nothing after the last
  /// mark, parentheses only where several things happen in one frame, `X` for a failure.
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
