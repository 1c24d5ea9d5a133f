import CLibevent
import Glibc
import RunnelStreams

/// A program that runs beside this one.
///
///     let sorting = try ChildProcess("sort", ["-r"], on: loop) { $0.input = .piped }
///     sorting.standardOutput.observe(
///       next: { show("\($0.count) bytes") }, failed: { show("\($0)") })
///     sorting.exit.observeNext { show($0) }
///     sorting.standardInput.write("a\nb\n")
///     sorting.standardInput.finish()
///
/// It has the standard descriptors that its options say and no others, a signal mask of its own, and
/// every signal at its default. It belongs to the loop's thread (C11).
///
/// *Disposal*: when this object is released the program goes on; what it reads ends, and what it
/// writes has no reader, unless a stream of it is still observed. The loop waits for the program's
/// end all the same, so that nothing is left of it. A loop that has been stopped does so when it
/// runs again; what is left when the loop is released stays a zombie until this process ends.
public final class ChildProcess {
  /// Its number. The system may give it to another process once this one has ended: use ``send(_:)``.
  public var identifier: Int32 { watch.identifier }

  /// What it reads, where its options say `.piped`. Else, what is written to it is dropped.
  public let standardInput: ProcessInput

  private let watch: ProcessWatch
  private let output: Descriptor?
  private let errors: Descriptor?
  private let loop: EventLoop

  /// Starts a program with arguments, found by its path, or by its name in the folders of `PATH`.
  /// The closure changes the options.
  public init(
    _ program: String, _ arguments: [String] = [], on loop: EventLoop,
    _ change: (inout ProcessOptions) -> Void = { _ in }
  ) throws(ProcessError) {
    loop.mustBeCurrent("starting a ChildProcess")
    let options = ProcessOptions(change)
    let input = options.input == .piped ? try Pipe() : nil
    let output = options.output == .piped ? try Pipe() : nil
    let errors = options.errors == .piped ? try Pipe() : nil
    standardInput = ProcessInput(input?.writing, on: loop)
    self.output = output?.reading
    self.errors = errors?.reading
    self.loop = loop
    let spawn = Spawn(
      program: program, arguments: arguments, options: options,
      standards: [
        options.input.standard(input?.reading), options.output.standard(output?.writing),
        options.errors.standard(errors?.writing),
      ])
    watch = try ProcessWatch(of: spawn, on: loop)
  }

  // MARK: - What it writes

  /// What it writes to its standard output, in pieces of at most 64 KiB. Completes at once where that
  /// is not piped.
  ///
  /// *Events*: completion when everybody who could write has closed it; and, if a child of the
  /// program still could, when the program has ended and what was in the pipe then has been read. One
  /// piece goes to one observer: share the stream if there are several.
  ///
  /// *Disposal*: what is not observed stays in the pipe, and the program waits once that is full.
  public var standardOutput: EventStream<[UInt8], DescriptorError> { bytes(from: output) }

  /// What it writes to its standard error, as ``standardOutput``.
  public var standardError: EventStream<[UInt8], DescriptorError> { bytes(from: errors) }

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
          // All that it wrote is in the pipe now.
          left = pipe.waitingByteCount
          if left == 0 { observer.completed() }
        })
    }
  }

  // MARK: - Its end

  /// Sends how it ended, once, and completes; at once if it has ended.
  public var exit: EventStream<ProcessStatus, Never> { watch.ended.stream }

  /// How it ended; nil while it runs.
  public var status: ProcessStatus? { watch.status }

  /// Whether it was asked to end because it ran too long.
  public var hasTimedOut: Bool { watch.hasTimedOut }

  /// Sends it a signal, and its whole group if it has one of its own. False if it has ended: no other
  /// process ever gets it.
  @discardableResult
  public func send(_ signal: Signal) -> Bool { watch.send(signal) }

  /// Asks it to end (`SIGTERM`), and ends it (`SIGKILL`) if it has not a while later. To ask once more
  /// does not put that off.
  public func terminate(grace: Duration = .seconds(5)) {
    watch.terminate(grace: grace)
  }
}

extension ProcessOptions.Input {
  fileprivate func standard(_ pipe: Descriptor?) -> Spawn.Standard {
    if let pipe { return .descriptor(pipe) }
    return self == .inherited ? .inherited : .nothing
  }
}

extension ProcessOptions.Output {
  fileprivate func standard(_ pipe: Descriptor?) -> Spawn.Standard {
    if let pipe { return .descriptor(pipe) }
    return self == .inherited ? .inherited : .nothing
  }
}
