import Glibc
import RunnelDesk
import RunnelLoop
import RunnelStreams

/// The state of a ``Terminal`` from taking over the screen to restoring it. It is confined to the
/// thread of its loop.
final class TerminalSession {
  private(set) var size: Size

  private let device: TerminalDevice
  private let safeguard: TerminalGuard
  private let loop: EventLoop
  private let writer: TerminalWriter
  private let reader: InputReader
  private let input = PushStream<InputEvent>()
  private let observations = Disposable()
  private var continuation: Disposable?
  private var reading: Disposable?
  private var frames: FrameWriter
  private var phase = Phase.shown
  /// The number of programs to which the terminal is lent, one in another.
  private var lendCount = 0
  /// The contents of the screen; nil if they are unknown.
  private var shown: Grid?
  /// The next contents, drawn when all previous output has been written.
  private var wanted: Grid?
  private var isTitleShown = true

  private let style: OutputStyle

  private enum Phase {
    /// The terminal shows the session.
    case shown
    /// The process is stopped, about to stop, or about to continue.
    case suspended
    /// Another program uses the terminal.
    case lent
    /// The terminal has been restored.
    case closed
  }

  init(
    path: String, colors: ColorDepth?, isPlain: Bool, on loop: EventLoop
  ) throws(TerminalError) {
    let environment = Self.environment
    let name = environment["TERM"] ?? ""
    let isDumb = ["", "dumb"].contains(name)
    if isDumb && !isPlain { throw .incapable(name: name) }
    style = !isPlain ? .screen : isDumb ? .bareLines : .lines
    device = try TerminalDevice(path: path)
    safeguard = try TerminalGuard(device, farewell: style.giveBack)
    self.loop = loop
    size = device.size
    let depth = colors ?? ColorDepth(environment: environment)
    frames = FrameWriter(
      colors: depth, hasWavyLines: depth.mayHaveWavyLines(environment: environment))
    writer = TerminalWriter(device.descriptor, on: loop)
    reader = InputReader(on: loop) { [device] in device.hasInput }
    takeOver()
    listen()
  }

  // MARK: - Input

  var events: EventStream<InputEvent, Never> { input.stream }

  private func listen() {
    writer.drained = { [weak self] in self?.draw() }
    observations.add(
      reader.tokens.observe(
        next: { [weak self] in self?.receive($0) }, completed: { [weak self] in self?.close() }))
    read()
    observations.add(
      loop.signals(.windowChange).observeNext { [weak self] _ in self?.resize() })
    observations.add(
      loop.signals(.terminalStop).observeNext { [weak self] _ in self?.suspend() })
    listenForContinuation()
  }

  private func read() {
    reading = loop.bytes(from: device.descriptor).observe(
      next: { [reader] in reader.receive($0) }, failed: { [reader] _ in reader.end() },
      completed: { [reader] in reader.end() })
  }

  private func receive(_ token: InputParser.Token) {
    switch token {
    case .event(let event): input.next(event)
    case .mode(2026, let isKnown): frames.isSynchronized = isKnown
    case .mode: break
    }
  }

  private func resize() {
    guard phase == .shown, device.size != size else { return }
    size = device.size
    // Some terminals reflow lines when they become narrower, so the contents are unknown.
    shown = nil
    input.next(.resize(size))
  }

  // MARK: - Output

  func show(_ grid: Grid) {
    guard phase != .closed else { return }
    wanted = grid
    draw()
  }

  /// Writes a line, in plain mode. In raw mode the terminal does not add the carriage return.
  func write(line: String) { write("\(line)\r\n") }

  var title = "" {
    didSet {
      if title == oldValue { return }
      isTitleShown = style != .screen
      draw()
    }
  }

  var reportsMotion = false {
    didSet {
      if reportsMotion == oldValue || style != .screen { return }
      write(ScreenSequences.motion(isReported: reportsMotion))
    }
  }

  func ring() {
    write(ScreenSequences.bell)
  }

  func copy(_ text: String) {
    if style != .bareLines { write(ScreenSequences.copy(text)) }
  }

  private func write(_ text: String) {
    if phase == .shown { writer.write(Array(text.utf8)) }
  }

  /// Draws the next contents, if no output is waiting. A slow terminal skips intermediate contents.
  private func draw() {
    guard phase == .shown, writer.isIdle else { return }
    var bytes: [UInt8] = []
    if let grid = wanted {
      wanted = nil
      let fitted = grid.size == size ? grid : grid.resized(to: size)
      bytes = frames.bytes(from: shown, to: fitted)
      shown = fitted
    }
    if !isTitleShown {
      isTitleShown = true
      bytes += Array(ScreenSequences.title(title).utf8)
    }
    writer.write(bytes)
  }

  // MARK: - Life cycle

  private func takeOver() {
    safeguard.take()
    frames.forget()
    wanted = wanted ?? shown
    shown = nil
    phase = .shown
    isTitleShown = title.isEmpty || style != .screen
    write(style.takeOver)
    if reportsMotion && style == .screen { write(ScreenSequences.motion(isReported: true)) }
    resize()
    draw()
  }

  private func giveBack() {
    writer.clear()
    safeguard.restore()
  }

  func suspend() {
    // The other program has stopped itself, and the shell waits for this process too.
    if phase == .lent { return safeguard.stop() }
    guard phase == .shown else { return }
    phase = .suspended
    continuation?.dispose()
    giveBack()
    safeguard.stop()
    guard phase == .suspended else { return }
    takeOver()
    if phase == .shown { listenForContinuation() }
  }

  /// Restores the terminal and reads no input, until ``takeBack()`` was called as often.
  func lend() {
    if phase == .lent { return lendCount += 1 }
    guard phase == .shown else { return }
    phase = .lent
    lendCount = 1
    reading?.dispose()
    giveBack()
  }

  func takeBack() {
    guard phase == .lent else { return }
    lendCount -= 1
    if lendCount > 0 { return }
    takeOver()
    // An observer of the new size may have closed the session.
    if phase == .shown { read() }
  }

  /// Takes over the screen again when the process continues: another program may have stopped it,
  /// and the shell may have changed the terminal's settings.
  private func listenForContinuation() {
    continuation = loop.signals(.continue).observeNext { [weak self] _ in
      guard let self, phase == .shown else { return }
      writer.clear()
      takeOver()
    }
  }

  func close() {
    guard phase != .closed else { return }
    phase = .closed
    continuation?.dispose()
    reading?.dispose()
    observations.dispose()
    giveBack()
    safeguard.end()
    input.completed()
  }

  private enum OutputStyle {
    /// Contents of the whole screen.
    case screen
    case lines
    /// Lines, without any escape sequence.
    case bareLines

    var takeOver: String {
      switch self {
      case .screen: ScreenSequences.takeOver
      case .lines: ScreenSequences.takeOverLines
      case .bareLines: ""
      }
    }

    var giveBack: String {
      switch self {
      case .screen: ScreenSequences.giveBack
      case .lines: ScreenSequences.giveBackLines
      case .bareLines: ""
      }
    }
  }

  /// The environment variables that describe the terminal.
  private static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "NO_COLOR"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return environment
  }
}
