import RunnelStreams
import RunnelTesting

/// An event that an observer received.
struct Note: Equatable, CustomStringConvertible {
  let observer: Int
  let event: StreamEvent<Int, Never>

  var description: String { "\(observer): \(event)" }
}

protocol ScriptedSubject: AnyObject {
  func add(_ number: Int, _ handler: @escaping (StreamEvent<Int, Never>) -> Void)
  func remove(_ number: Int)
  func send(_ event: StreamEvent<Int, Never>)
}

/// Plays random actions. The same seed gives the same actions while the subject's events are equal.
func play(_ seed: UInt64, on subject: some ScriptedSubject) -> [Note] {
  let script = Script(seed, on: subject)
  script.run()
  return script.notes
}

private final class Script<Scripted: ScriptedSubject> {
  private let subject: Scripted
  private var random: SeededGenerator
  private var budget = 120
  private var observers = 0
  private var element = 0
  private(set) var notes: [Note] = []

  init(_ seed: UInt64, on subject: Scripted) {
    self.subject = subject
    random = SeededGenerator(seed: seed)
  }

  func run() {
    while budget > 0 { act() }
  }

  private func act() {
    guard budget > 0 else { return }
    budget -= 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<30:
      observers += 1
      let number = observers
      subject.add(number) { [unowned self] event in  // Safety: the script outlives its subject.
        notes.append(Note(observer: number, event: event))
        for _ in 0..<Int.random(in: 0...2, using: &random) { act() }
      }
    case 30..<60:
      if observers > 0 { subject.remove(Int.random(in: 1...observers, using: &random)) }
    case 60..<99:
      element += 1
      subject.send(.next(element))
    default:
      subject.send(.completed)
    }
  }
}

/// A model of a subject, written without regard to cost.
final class ModelSubject: ScriptedSubject {
  private let capacity: Int
  private var kept: [Int] = []
  private var handlers: [Int: (StreamEvent<Int, Never>) -> Void] = [:]
  private var order: [Int] = []
  private var waiting: [(event: StreamEvent<Int, Never>, recipients: [Int])] = []
  private var isBusy = false
  private(set) var hasEnded = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  func add(_ number: Int, _ handler: @escaping (StreamEvent<Int, Never>) -> Void) {
    handlers[number] = handler
    let missed = kept
    if hasEnded {
      for element in missed { handlers[number]?(.next(element)) }
      end(number)
    } else {
      order.append(number)
      serially {
        for element in missed { handlers[number]?(.next(element)) }
      }
    }
  }

  func remove(_ number: Int) {
    handlers[number] = nil
    order.removeAll { $0 == number }
  }

  func send(_ event: StreamEvent<Int, Never>) {
    guard !hasEnded else { return }
    if case .next(let element) = event { kept = (kept + [element]).suffix(capacity) }
    if case .completed = event { hasEnded = true }
    waiting.append((event, order))
    serially {}
  }

  private func serially(_ body: () -> Void) {
    let isOutermost = !isBusy
    isBusy = true
    body()
    guard isOutermost else { return }
    while !waiting.isEmpty {
      let (event, recipients) = waiting.removeFirst()
      for number in recipients {
        if case .completed = event { end(number) } else { handlers[number]?(event) }
      }
    }
    isBusy = false
  }

  private func end(_ number: Int) {
    let handler = handlers[number]
    remove(number)
    handler?(.completed)
  }
}

/// Observations by number. They can be disposed inside their first event.
final class Observations {
  private var byNumber: [Int: Disposable] = [:]

  func observe(
    _ stream: EventStream<Int, Never>, as number: Int,
    _ handler: @escaping (StreamEvent<Int, Never>) -> Void
  ) {
    let observation = Disposable()
    byNumber[number] = observation
    stream.start(
      in: observation, next: { handler(.next($0)) }, end: { handler(StreamEvent($0)) })
  }

  func dispose(_ number: Int) { byNumber[number]?.dispose() }
}
