import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Tasks that read a stream and are cancelled at random: before they begin, while they wait, with
/// unread elements in the buffer, and after the end.
@MainActor @Suite struct CancellationTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func readersCanBeCancelledAtAnyTime(block: UInt64) async {
    for seed in block * 25..<(block + 1) * 25 {
      let run = CancellationRun(seed: seed)
      await run.play()
      guard let fault = await run.fault() else { continue }
      Issue.record("seed \(seed): \(fault)\n\(run.log.joined(separator: "\n"))")
      return
    }
  }
}

/// A source, its readers, and the random operations on them.
@MainActor
private final class CancellationRun {
  private let source = Subject<Int, Broken>()
  private var random: SeededGenerator
  private var readers: [Reader] = []
  private var sent = 0
  /// The outcome that the source's terminal event gives to its readers.
  private var end: Reader.Outcome?
  private(set) var log: [String] = []
  private let census = Counted.Census()

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  func play() async {
    for _ in 0..<Int.random(in: 4...24, using: &random) {
      switch Int.random(in: 0...9, using: &random) {
      case 0...1: add()
      case 2...4: send()
      case 5...7:
        let turns = Int.random(in: 1...4, using: &random)
        log.append("\(turns) turns pass")
        for _ in 1...turns { await Task.yield() }
      case 8: cancelOne()
      default: if Int.random(in: 0...3, using: &random) == 0 { endSource() }
      }
    }
    // No reader may wait for ever.
    if Bool.random(using: &random) { endSource() }
    if end == nil { for index in readers.indices { cancel(index) } }
  }

  /// Returns the first fault after all readers have finished, or nil.
  func fault() async -> String? {
    for (index, reader) in readers.enumerated() {
      let outcome = await reader.outcome()
      if let fault = reader.fault(in: outcome, end: end) {
        return "reader \(index), \(reader.kind), had \(reader.elements): \(fault)"
      }
    }
    if source.isObserved { return "the source is still observed" }
    readers = []
    return census.alive == 0 ? nil : "\(census.alive) closures were not released"
  }

  private func add() {
    guard readers.count < 4 else { return }
    let kind: Reader.Kind =
      switch Int.random(in: 0...4, using: &random) {
      case 0: .values(.newest(2))
      case 1: .values(.oldest(2))
      case 2: .values(.unbounded)
      default: .first
      }
    log.append("reader \(readers.count) is made: \(kind)")
    let witness = Counted(census)
    readers.append(
      Reader(
        kind,
        of: source.map { number in
          withExtendedLifetime(witness) { number }
        }))
  }

  private func send() {
    guard end == nil else { return }
    sent += 1
    log.append("\(sent) is sent")
    source.next(sent)
  }

  private func endSource() {
    guard end == nil else { return }
    let fails = Bool.random(using: &random)
    log.append(fails ? "the source fails" : "the source completes")
    end = fails ? .failed : .ended
    if fails { source.failed(Broken()) } else { source.completed() }
  }

  private func cancelOne() {
    if let index = readers.indices.randomElement(using: &random) { cancel(index) }
  }

  private func cancel(_ index: Int) {
    log.append("reader \(index) is cancelled")
    readers[index].cancel()
  }
}

/// A task that reads a stream, and the invariants of its cancellation.
@MainActor
private final class Reader {
  enum Kind {
    case values(StreamBuffering)
    case first
  }

  enum Outcome {
    /// The sequence ended, or `first()` returned.
    case ended
    case failed
  }

  let kind: Kind
  /// The elements that it read.
  private(set) var elements: [Int] = []
  /// The elements that reached its observation.
  private var arrived: [Int] = []
  /// True after its observation ended.
  private var isOver = false
  /// True when the observation had ended before the iterator returned nil.
  private var endedBeforeIterator = true
  private var isCancelled = false
  private var task: Task<Outcome, Never>?

  init(_ kind: Kind, of stream: EventStream<Int, Broken>) {
    self.kind = kind
    let watched = stream.do(
      next: { [unowned self] in arrived.append($0) }, disposed: { [unowned self] in isOver = true })
    task = Task { await read(watched) }
  }

  func cancel() {
    isCancelled = true
    task?.cancel()
  }

  func outcome() async -> Outcome {
    guard let task else { return .ended }
    self.task = nil
    return await task.value
  }

  private func read(_ stream: EventStream<Int, Broken>) async -> Outcome {
    do throws(Broken) {
      switch kind {
      case .values(let buffering):
        var iterator = stream.values(buffering: buffering).makeAsyncIterator()
        while let element = try await iterator.next(isolation: #isolation) {
          elements.append(element)
        }
        endedBeforeIterator = isOver
        withExtendedLifetime(iterator) {}
      case .first:
        if let element = try await stream.first() { elements.append(element) }
      }
      return .ended
    } catch {
      return .failed
    }
  }

  func fault(in outcome: Outcome, end: Outcome?) -> String? {
    if outcome == .failed && end != .failed { return "it failed, but the source did not" }
    if !isCancelled && !hasFirst && outcome != end {
      return "it \(outcome), but the source did not"
    }
    if !isOver || !endedBeforeIterator { return "its observation did not end before it" }
    return hasReadExpectedElements ? nil : "its observation received \(arrived)"
  }

  private var hasFirst: Bool {
    if case .first = kind { !elements.isEmpty } else { false }
  }

  private var hasReadExpectedElements: Bool {
    switch kind {
    case .first:
      return elements == Array(arrived.prefix(1)) || isCancelled && elements.isEmpty
    case .values(.unbounded):
      return elements == (isCancelled ? Array(arrived.prefix(elements.count)) : arrived)
    case .values(.newest), .values(.oldest):
      let isInOrder = zip(elements, elements.dropFirst()).allSatisfy { $0 < $1 }
      guard isInOrder && Set(elements).isSubset(of: arrived) else { return false }
      if isCancelled { return true }
      guard case .values(.newest) = kind else { return elements.first == arrived.first }
      return elements.last == arrived.last
    }
  }
}
