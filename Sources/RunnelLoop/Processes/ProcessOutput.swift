import RunnelStreams

/// The output and the status of a program that has ended.
public struct ProcessOutput: Sendable, Hashable {
  /// The exit status.
  public let status: ProcessStatus
  /// The bytes of the standard output.
  public let bytes: [UInt8]
  /// The bytes of the standard error, if it is piped.
  public let errors: [UInt8]

  /// The standard output as text. Bytes that are not UTF-8 become replacement characters.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension EventLoop {
  /// Runs a program, and sends its output and its status when it has ended.
  ///
  ///     loop.output(of: "git", ["status", "--short"]).observe(
  ///       succeeded: { show($0.text) }, failed: { show("\($0)") })
  ///
  /// *Events*: a program that fails also sends its output; check the status. A program that writes
  /// more than the limit is killed, and the single fails.
  ///
  /// *Disposal*: asks the program to end, and kills it after the grace period of its options.
  public func output(
    of program: String, _ arguments: [String] = [], limit: Int = 1 << 24,
    _ change: @escaping (inout ProcessOptions) -> Void = { _ in }
  ) -> Single<ProcessOutput, ProcessError> {
    Single(
      trusting: .unguarded { observer in
        do throws(ProcessError) {
          let options = ProcessOptions(change)
          let process = try ChildProcess(program, arguments, on: self) { $0 = options }
          let collector = OutputCollector(process, limit, options.grace, into: observer)
          observer.observation.add(collector)
          collector.begin()
        } catch {
          observer.failed(error)
        }
      })
  }
}

/// Collects the output of a process until it has ended and all bytes are read.
private final class OutputCollector: Teardown {
  private let process: ChildProcess
  private let limit: Int
  private let grace: Duration
  private let observer: Observer<ProcessOutput, ProcessError>
  private var bytes: [UInt8] = []
  private var errors: [UInt8] = []
  private var openCount = 3

  init(
    _ process: ChildProcess, _ limit: Int, _ grace: Duration,
    into observer: Observer<ProcessOutput, ProcessError>
  ) {
    self.process = process
    self.limit = limit
    self.grace = grace
    self.observer = observer
  }

  func begin() {
    let observation = observer.observation
    process.standardOutput.start(
      under: observation,
      next: {
        self.bytes += $0
        self.check()
      }, end: { self.end($0) })
    process.standardError.start(
      under: observation,
      next: {
        self.errors += $0
        self.check()
      }, end: { self.end($0) })
    process.exit.start(under: observation, next: { _ in }, end: { _ in self.end(.completed) })
  }

  private func check() {
    guard bytes.count + errors.count > limit else { return }
    process.send(.kill)
    observer.failed(.tooMuchOutput(limit: limit))
  }

  private func end(_ termination: Termination<DescriptorError>) {
    if case .failed(let error) = termination { return observer.failed(.unreadable(error)) }
    openCount -= 1
    guard openCount == 0, let status = process.status else { return }
    observer.next(ProcessOutput(status: status, bytes: bytes, errors: errors))
    observer.completed()
  }

  func tearDown() {
    process.terminate(grace: grace)
  }
}
