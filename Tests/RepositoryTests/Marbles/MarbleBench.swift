import RunnelStreams
import RunnelTesting

@testable import ExampleFiles

/// The streams of a marble diagram, in virtual time. An element of a source is a character, or a
/// text between dashes.
final class MarbleBench {
  let scheduler = TestScheduler()
  /// The marks of the rows that the run has used as sources, by their labels.
  private(set) var inputs: [String: [(frame: Int, text: String)]] = [:]
  private let rows: [MarbleRow]
  private let result: String
  private var outputs: [(label: String, start: Int, marks: () -> [(frame: Int, text: String)])] = []

  init(_ rows: [MarbleRow], result: String) {
    self.rows = rows
    self.result = result
  }

  /// Runs the diagram, and returns its results in the order of their observations.
  func results() -> [(label: String, start: Int, marks: [(frame: Int, text: String)])] {
    scheduler.advance(ticks: (rows.map(\.end).max() ?? 1) - 1)
    return outputs.map { ($0.label, $0.start, $0.marks()) }
  }

  func ticks(_ count: Int) -> Duration { scheduler.tick * count }

  /// Does something in a later frame, or at once if the frame is the present one.
  func at(_ frame: Int, _ action: @escaping () -> Void) {
    if frame == now { action() } else { _ = scheduler.schedule(at: ticks(frame), action) }
  }

  // MARK: - Sources

  /// A source that begins when it is observed, and cannot fail.
  func safe(_ label: String = "source") -> EventStream<Int, Never> {
    scheduler.numbers(ColdStream(events(label, failure: nil), on: scheduler).stream)
  }

  /// A source that begins when it is observed.
  func cold(_ label: String = "source") -> EventStream<String, MarbleFailure> {
    ColdStream(events(label, failure: MarbleFailure()), on: scheduler).stream
  }

  func numbers(_ label: String = "source") -> EventStream<Int, MarbleFailure> {
    scheduler.numbers(cold(label))
  }

  /// A source whose elements are the texts between dashes.
  func words(_ label: String = "source") -> EventStream<String, MarbleFailure> {
    ColdStream(
      events(label, isLong: true, failure: MarbleFailure()), on: scheduler
    ).stream
  }

  /// A source that runs whether or not it is observed.
  func hot(_ label: String = "source") -> EventStream<String, MarbleFailure> {
    HotStream(events(label, failure: MarbleFailure(), isHot: true), on: scheduler).stream
  }

  /// A source that runs whether or not it is observed, and cannot fail.
  func trigger(_ label: String = "trigger") -> EventStream<String, Never> {
    HotStream(events(label, failure: nil, isHot: true), on: scheduler).stream
  }

  /// A source that the label of a row contains.
  func inner(_ timeline: String) -> EventStream<Int, MarbleFailure> {
    let row = MarbleRow(label: "", start: 0, timeline: timeline)
    return scheduler.numbers(
      ColdStream(events(row, failure: MarbleFailure()), on: scheduler).stream)
  }

  /// A source in which an element takes the place of `x`.
  func template(_ label: String, _ element: Int) -> EventStream<Int, MarbleFailure> {
    cold(label).map { _ in element }
  }

  /// The frame of a mark, which is not an event of a stream.
  func frame(of mark: String = "^", in label: String) -> Int {
    let row = row(label)
    return row.start + (marks(of: row, isLong: true).first { $0.text == mark }?.frame ?? 0)
  }

  /// An object that ends at the mark `gone` of the row `object`.
  func object() -> MarbleObject {
    let object = MarbleObject()
    var kept: MarbleObject? = object
    at(frame(of: "gone", in: "object")) { kept = nil }
    _ = kept
    return object
  }

  private func row(_ label: String) -> MarbleRow {
    guard let row = rows.first(where: { $0.label == label }) else {
      fatalError("\(result): there is no row \(label).")
    }
    return row
  }

  private func marks(of row: MarbleRow, isLong: Bool) -> [(frame: Int, text: String)] {
    let marks = row.marks(isLong: isLong)
    inputs[row.label] = marks.map { ($0.frame + row.start, $0.text) }
    return marks
  }

  private func events<Failure: Error>(
    _ label: String, isLong: Bool = false, failure: Failure?, isHot: Bool = false
  ) -> [Timed<StreamEvent<String, Failure>>] {
    events(row(label), isLong: isLong, failure: failure, isHot: isHot)
  }

  private func events<Failure: Error>(
    _ row: MarbleRow, isLong: Bool = false, failure: Failure?, isHot: Bool = false
  ) -> [Timed<StreamEvent<String, Failure>>] {
    marks(of: row, isLong: isLong).map { frame, text in
      let event: StreamEvent<String, Failure> =
        switch (text, failure) {
        case ("|", _): .completed
        case ("X", let failure?): .failed(failure)
        default: .next(text)
        }
      return Timed(ticks(frame + (isHot ? row.start : 0)), event)
    }
  }

  // MARK: - Results

  /// Draws a stream in a row, by default in the row of the operator.
  ///
  /// - Parameters:
  ///   - frame: The start of the observation.
  ///   - failure: The text of a failure.
  ///   - name: Returns the text of an element.
  func show<Element, Failure: Error>(
    _ stream: EventStream<Element, Failure>, as label: String? = nil, at frame: Int = 0,
    failure: String = "X", _ name: @escaping (Element) -> String = MarbleBench.text
  ) {
    var recorder: Recorder<Element, Failure>?
    at(frame) { [scheduler] in recorder = scheduler.record(stream) }
    add(label, from: frame) { [tick = scheduler.tick] in
      (recorder?.timedEvents ?? []).map { entry in
        let text =
          switch entry.event {
          case .next(let element): name(element)
          case .failed: failure
          case .completed: "|"
          }
        return (Int(entry.time / tick), text)
      }
    }
  }

  /// The present frame.
  var now: Int { Int(scheduler.now / scheduler.tick) }

  /// Draws marks in a row, by default in the row of the operator.
  func add(
    _ label: String? = nil, from start: Int = 0,
    _ marks: @escaping () -> [(frame: Int, text: String)]
  ) {
    outputs.append((label ?? result, start, marks))
  }

  /// The description of an element, without blanks.
  static func text<Element>(_ element: Element) -> String {
    "\(element)".filter { $0 != " " }
  }
}

/// The object of the operators that do not keep one alive.
final class MarbleObject {}

extension TestScheduler {
  fileprivate func numbers<Failure>(
    _ stream: EventStream<String, Failure>
  ) -> EventStream<Int, Failure> {
    stream.compactMap { Int($0) }
  }
}
