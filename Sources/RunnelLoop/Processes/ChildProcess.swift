import CLinux
import Glibc
import RunnelStreams

/// A child process that runs a program.
///
///     let sorting = try ChildProcess("sort", ["-r"], on: loop) { $0.input = .piped }
///     sorting.standardOutput.observe(
///       next: { show("\($0.count) bytes") }, failed: { show("\($0)") })
///     sorting.exit.observeNext { show($0) }
///     _ = sorting.standardInput.write("a\nb\n")
///     sorting.standardInput.finish()
///
/// The child inherits only the standard descriptors that its options name. No signal is blocked,
/// and each has its default disposition. The object belongs to the loop's thread (C11).
///
/// *Disposal*: releasing this object does not end the program. Its input ends, and its output has
/// no reader, unless a stream of it is still observed. The loop still waits for its end and reaps
/// it. A stopped loop does so when it runs again. If the loop is released first, the child remains
/// a zombie until this process ends.
public final class ChildProcess {
  /// The process identifier. The system may reuse it after the process has ended: use ``send(_:)``.
  public var identifier: Int32 { watch.identifier }

  /// The input of the process, if the options say `.piped`. Otherwise writes are refused.
  public let standardInput: Writer

  private let watch: ProcessWatch
  private let output: Descriptor?
  private let errors: Descriptor?
  private let notifications: Descriptor?
  private let loop: EventLoop

  /// Starts a program, found by its path or by its name in `PATH`. The closure changes the options.
  public init(
    _ program: String, _ arguments: [String] = [], on loop: EventLoop,
    _ change: (inout ProcessOptions) -> Void = { _ in }
  ) throws(ProcessError) {
    loop.mustBeCurrent("starting a ChildProcess")
    let options = ProcessOptions(change)
    let input = options.input == .piped ? try Pipe() : nil
    let output = options.output == .piped ? try Pipe() : nil
    let errors = options.errors == .piped ? try Pipe() : nil
    let notification = options.hasNotification ? try Pipe() : nil
    standardInput = Writer(owning: input?.writing, on: loop)
    self.output = output?.reading
    self.errors = errors?.reading
    notifications = notification?.reading
    self.loop = loop
    let spawn = Spawn(
      program: program, arguments: arguments, options: options,
      standards: [
        Spawn.Standard(input?.reading, inherits: options.input == .inherited),
        Spawn.Standard(output?.writing, inherits: options.output == .inherited),
        Spawn.Standard(errors?.writing, inherits: options.errors == .inherited),
      ], notification: notification?.writing)
    watch = try ProcessWatch(of: spawn, on: loop)
  }

  // MARK: - Output

  /// The standard output of the process, in pieces of at most 64 KiB. Completes at once if it is
  /// not piped.
  ///
  /// *Events*: completes when all writers have closed the pipe. If a child of the program still
  /// holds it, completes when the program has ended and the pipe is empty. Each piece goes to one
  /// observer: share the stream if there are several.
  ///
  /// *Disposal*: unread output stays in the pipe. When the pipe is full, the program blocks.
  public var standardOutput: EventStream<[UInt8], DescriptorError> { bytes(from: output) }

  /// The standard error of the process, with the same behaviour as ``standardOutput``.
  public var standardError: EventStream<[UInt8], DescriptorError> { bytes(from: errors) }

  /// The lines of the standard output, without their line endings: see
  /// ``EventLoop/lines(from:longest:)``.
  ///
  ///     let building = try ChildProcess("make", on: loop)
  ///     building.outputLines().observe(next: { show($0) }, failed: { show("\($0)") })
  ///
  /// With `dividing`, a line that is too long is sent as several ones. All else is as for
  /// ``standardOutput``.
  public func outputLines(
    longest limit: Int = 1 << 20, dividing divides: Bool = false
  ) -> EventStream<String, DescriptorError> {
    loop.lines(of: standardOutput, longest: limit, dividing: divides)
  }

  /// The lines of the standard error, with the same behaviour as ``outputLines(longest:dividing:)``.
  public func errorLines(
    longest limit: Int = 1 << 20, dividing divides: Bool = false
  ) -> EventStream<String, DescriptorError> {
    loop.lines(of: standardError, longest: limit, dividing: divides)
  }

  /// The bytes that the program writes to descriptor 3, if its options say
  /// ``ProcessOptions/hasNotification``.
  /// Some programs write a line there when they are ready. Otherwise as for ``standardOutput``.
  public var notification: EventStream<[UInt8], DescriptorError> { bytes(from: notifications) }

  private func bytes(from pipe: Descriptor?) -> EventStream<[UInt8], DescriptorError> {
    guard let pipe else { return .completed }
    let bytes = loop.bytes(from: pipe.number)
    let exit = exit
    return .unguarded { observer in
      var left: Int?
      bytes.start(
        Observer(before: observer) { piece in
          observer.next(piece)
          left? -= piece.count
          if let left, left <= 0 { observer.completed() }
        })
      exit.start(
        under: observer.observation, next: { _ in },
        end: { _ in
          // The pipe now contains all output of the program.
          left = pipe.waitingByteCount
          if left == 0 { observer.completed() }
        })
    }
  }

  // MARK: - Exit

  /// Sends the status of the ended process once, then completes. Sends at once if it has ended.
  public var exit: EventStream<ProcessStatus, Never> { watch.ended.stream }

  /// The status of the ended process; nil while it runs.
  public var status: ProcessStatus? { watch.status }

  /// True after the process reached its timeout and was asked to end.
  public var hasTimedOut: Bool { watch.hasTimedOut }

  /// Sends a signal to the process, or to its process group if it has its own. Returns false if the
  /// process has ended; no other process receives the signal.
  @discardableResult
  public func send(_ signal: Signal) -> Bool { watch.send(signal) }

  /// Asks the process to end, and kills it (`SIGKILL`) after the grace period. Calling this again does
  /// not extend the period. With ``ProcessOptions/Group/ownUntilExit``, the whole group has this time.
  public func terminate(with signal: Signal = .terminate, grace: Duration = .seconds(5)) {
    watch.terminate(with: signal, grace: grace)
  }
}

extension Spawn.Standard {
  fileprivate init(_ pipe: Descriptor?, inherits: Bool) {
    self = pipe.map { .descriptor($0) } ?? (inherits ? .inherited : .nothing)
  }
}
