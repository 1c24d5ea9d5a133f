// Serves the site that Scripts/docs has made, and runs the diagrams that readers change. Scripts/docs --serve runs it.
import Glibc
import Runnel
import RunnelTesting

typealias Marbles = EventStream<String, MarbleFailure>

/// A diagram that a reader has made.
struct Diagram: Decodable {
  let sources: [String]
  let operators: [String]
}

/// A row of the page. An event is its frame and its text, such as `4:a`, or its frame and its end, such as `9|` or `9X`.
struct Row: Codable {
  let label: String
  let events: [String]
}

struct Answer: Encodable {
  var rows: [Row] = []
  var mistake: String?
}

/// The time and the second source of a diagram.
struct Bench {
  let scheduler = TestScheduler()
  let other: MarbleDiagram

  func ticks(_ count: Int) -> Duration { scheduler.tick * count }

  /// The second source, which begins when it is observed.
  var b: Marbles { scheduler.cold(other.description).stream }

  /// The second source for operators whose triggers cannot fail.
  var trigger: EventStream<String, Never> { b.recover(with: .completed) }

  /// A stream of two elements that `flatMap` and its kin start for each element.
  func twice(_ element: String) -> Marbles {
    ColdStream(
      [Timed(.zero, .next(element)), Timed(ticks(4), .next(element)), Timed(ticks(5), .completed)], on: scheduler
    ).stream
  }
}

/// An operator that readers can choose. Its name is its code.
@MainActor
struct Operator {
  let name: String
  let apply: (Marbles, Bench) -> Marbles

  static let all = transforming + filtering + timing + combining + failing

  private static let transforming = [
    Operator("map { $0 * 10 }") { s, _ in s.map { "\(number($0) * 10)" } },
    Operator("scan(0, +)") { s, _ in s.scan(0) { $0 + number($1) }.map { text($0) } },
    Operator("reduce(0, +)") { s, _ in s.reduce(0) { $0 + number($1) }.stream.map { text($0) } },
    Operator("toArray()") { s, _ in s.toArray().stream.map { list($0) } },
    Operator("pairwise()") { s, _ in s.pairwise().map { "(\($0.0),\($0.1))" } },
    Operator("enumerated()") { s, _ in s.enumerated().map { "(\($0.0),\($0.1))" } },
    Operator("buffer(count: 2)") { s, _ in s.buffer(count: 2).map { list($0) } },
    Operator("flatMap { twice($0) }") { s, bench in s.flatMap { bench.twice($0) } },
    Operator("concatMap { twice($0) }") { s, bench in s.concatMap { bench.twice($0) } },
    Operator("flatMapLatest { twice($0) }") { s, bench in s.flatMapLatest { bench.twice($0) } },
    Operator("flatMapFirst { twice($0) }") { s, bench in s.flatMapFirst { bench.twice($0) } },
    Operator("materialize()") { s, _ in
      s.materialize().map { if case .failed = $0 { "failed" } else { "\($0)" } }.failing(with: MarbleFailure.self)
    },
  ]

  private static let filtering = [
    Operator("filter { $0 > 2 }") { s, _ in s.filter { number($0) > 2 } },
    Operator("distinct()") { s, _ in s.distinct() },
    Operator("distinctUntilChanged()") { s, _ in s.distinctUntilChanged() },
    Operator("first(where: { $0 > 2 })") { s, _ in s.first(where: { number($0) > 2 }).stream },
    Operator("last()") { s, _ in s.last().stream },
    Operator("element(at: 1)") { s, _ in s.element(at: 1).stream },
    Operator("take(2)") { s, _ in s.take(2) },
    Operator("take(for: 8 ticks)") { s, bench in s.take(for: bench.ticks(8), on: bench.scheduler) },
    Operator("take(while: { $0 < 3 })") { s, _ in s.take(while: { number($0) < 3 }) },
    Operator("take(until: b)") { s, bench in s.take(until: bench.trigger) },
    Operator("takeLast(2)") { s, _ in s.takeLast(2) },
    Operator("skip(2)") { s, _ in s.skip(2) },
    Operator("skip(for: 8 ticks)") { s, bench in s.skip(for: bench.ticks(8), on: bench.scheduler) },
    Operator("skip(while: { $0 < 3 })") { s, _ in s.skip(while: { number($0) < 3 }) },
    Operator("skip(until: b)") { s, bench in s.skip(until: bench.trigger) },
    Operator("skipLast(2)") { s, _ in s.skipLast(2) },
    Operator("ignoreElements()") { s, _ in s.ignoreElements(as: String.self) },
    Operator("sample(by: b)") { s, bench in s.sample(by: bench.trigger) },
  ]

  private static let timing = [
    Operator("debounce(for: 3 ticks)") { s, bench in s.debounce(for: bench.ticks(3), on: bench.scheduler) },
    Operator("throttle(for: 5 ticks)") { s, bench in s.throttle(for: bench.ticks(5), on: bench.scheduler) },
    Operator("throttle(for: 5 ticks, latest: false)") { s, bench in
      s.throttle(for: bench.ticks(5), latest: false, on: bench.scheduler)
    },
    Operator("delay(for: 4 ticks)") { s, bench in s.delay(for: bench.ticks(4), on: bench.scheduler) },
    Operator("delaySubscription(for: 4 ticks)") { s, bench in
      s.delaySubscription(for: bench.ticks(4), on: bench.scheduler)
    },
    Operator("timeout(after: 5 ticks, failingWith: e)") { s, bench in
      s.timeout(after: bench.ticks(5), failingWith: MarbleFailure(), on: bench.scheduler)
    },
    Operator("buffer(for: 8 ticks)") { s, bench in
      s.buffer(for: bench.ticks(8), on: bench.scheduler).map { list($0) }
    },
  ]

  private static let combining = [
    Operator("merge(b)") { s, bench in s.merge(bench.b) },
    Operator("combineLatest(b)") { s, bench in s.combineLatest(bench.b).map { "\($0.0)\($0.1)" } },
    Operator("zip(b)") { s, bench in s.zip(bench.b).map { "\($0.0)\($0.1)" } },
    Operator("withLatestFrom(b)") { s, bench in s.withLatestFrom(bench.b).map { "\($0.0)\($0.1)" } },
    Operator("append(b)") { s, bench in s.append(bench.b) },
    Operator("amb(b)") { s, bench in .amb(s, bench.b) },
    Operator("startWith(0)") { s, _ in s.startWith("0") },
    Operator("ifEmpty(default: 0)") { s, _ in s.ifEmpty(default: "0") },
    Operator("repeated(2)") { s, _ in s.repeated(2) },
  ]

  private static let failing = [
    Operator("retry(2)") { s, _ in s.retry(2) },
    Operator("catch { _ in b }") { s, bench in s.catch { _ in bench.b } },
    Operator("recover(with: 9)") { s, _ in s.recover(with: "9").failing(with: MarbleFailure.self) },
  ]

  private init(_ name: String, _ apply: @escaping (Marbles, Bench) -> Marbles) {
    self.name = name
    self.apply = apply
  }
}

/// Text counts as zero.
func number(_ element: String) -> Int { Int(element).map { $0 % 1_000_000 } ?? 0 }

func text(_ number: Int) -> String { "\(number)" }

func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ","))]" }

@MainActor
enum Playground {
  static let maximumOperators = 3
  static let maximumMarks = 40
  static let lastFrame = 60

  /// Runs a diagram, and returns a row for each step of its chain.
  static func answer(to request: String) -> String {
    var answer = Answer()
    do {
      answer.rows = try rows(of: JSON.decode(Diagram.self, from: request))
    } catch let error as MarbleError {
      answer.mistake = "\(error)"
    } catch let error as Mistake {
      answer.mistake = error.text
    } catch {
      answer.mistake = "This is no diagram: \(error)"
    }
    return (try? JSON.text(of: answer)) ?? "{}"
  }

  struct Mistake: Error {
    let text: String
  }

  private static func rows(of diagram: Diagram) throws -> [Row] {
    guard diagram.sources.count == 2, diagram.sources.allSatisfy({ $0.utf8.count <= 400 }) else {
      throw Mistake(text: "A diagram has two sources of at most 400 bytes.")
    }
    guard diagram.operators.count <= maximumOperators else {
      throw Mistake(text: "A diagram has up to \(maximumOperators) operators.")
    }
    let sources = try diagram.sources.map { try MarbleDiagram(parsing: $0) }
    for source in sources where source.marks.count > maximumMarks || source.marks.contains(where: { $0.frame > lastFrame }) {
      throw Mistake(text: "A source has up to \(maximumMarks) events until frame \(lastFrame).")
    }
    guard sources.allSatisfy({ $0.observation == nil }) else {
      throw Mistake(text: "A source has no ^.")
    }
    var rows: [Row] = []
    for count in diagram.operators.indices.map({ $0 + 1 }) {
      let bench = Bench(other: sources[1])
      var stream: Marbles = bench.scheduler.cold(diagram.sources[0]).stream
      for name in diagram.operators.prefix(count) {
        guard let found = Operator.all.first(where: { $0.name == name }) else {
          throw Mistake(text: "There is no operator \(name).")
        }
        stream = found.apply(stream, bench)
      }
      let recorder = bench.scheduler.record(stream)
      bench.scheduler.advance(ticks: 3 * lastFrame)
      recorder.dispose()
      rows.append(Row(label: diagram.operators[count - 1], events: events(of: recorder, tick: bench.scheduler.tick)))
    }
    return rows
  }

  private static func events(of recorder: Recorder<String, MarbleFailure>, tick: Duration) -> [String] {
    recorder.timedEvents.prefix(200).map { entry in
      let frame = Int(entry.time / tick)
      return switch entry.event {
      case .next(let element): "\(frame):\(element)"
      case .failed: "\(frame)X"
      case .completed: "\(frame)|"
      }
    }
  }
}

guard CommandLine.arguments.count > 1 else {
  print("Usage: serve FOLDER [PORT]")
  exit(2)
}
let outcome = EventLoop.main.runUntilTerminated { service in
  let server = HTTPServer(on: EventLoop.main)
  server.maximumConnections = 100
  server.get("/") { _ in HTTPResponse.redirect(to: "/index.html") }
  server.get("/operators") { _ in try HTTPResponse(json: Operator.all.map(\.name)) }
  server.webSocket("/run") { socket in
    socket.texts.map { Playground.answer(to: $0) }.bind(to: socket)
  }
  server.files("/", in: CommandLine.arguments[1])
  let port = CommandLine.arguments.dropFirst(2).first.flatMap { UInt16($0) } ?? 0
  let listener = try server.listen(.tcp("127.0.0.1", port: port))
  print("The site is at http://\(listener.address)/index.html. Ctrl-C ends the server.")
  fflush(nil)
  service.onShutdown("requests", server.close(within: .seconds(1)))
}
exit(outcome.exitCode)
