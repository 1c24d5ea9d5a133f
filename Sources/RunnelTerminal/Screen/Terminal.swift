import Glibc
import RunnelDesk
import RunnelLoop
import RunnelStreams

/// The terminal that the program runs in, as a screen to draw on and a keyboard and a mouse to hear.
///
///     let terminal = try Terminal(on: .main)
///     var grid = Grid(terminal.size)
///     grid.put("Press q", at: .zero)
///     terminal.show(grid)
///     terminal.events.observeNext { event in
///       if event == .key(KeyPress(.character("q"))) { terminal.close() }
///     }
///     EventLoop.main.run(until: terminal.events.ignoreElements(as: Void.self))
///
/// It takes the screen over as soon as it is made, and puts everything back when it is closed or
/// released, and in whichever way the process ends: at `exit`, by a signal, in a trap, and by a guardian
/// process when it is killed. What is printed to standard error meanwhile appears after that.
///
/// Ctrl-C and Ctrl-Z are keys like others; ``suspend()`` is what Ctrl-Z should do. It belongs to the
/// thread of its loop (C11).
public final class Terminal {
  /// How many columns and rows there are.
  public private(set) var size: Size

  private let device: TerminalDevice
  private let safeguard: TerminalGuard
  private let loop: EventLoop
  private let writer: TerminalWriter
  private let reader: InputReader
  private let input = PushStream<InputEvent>()
  private let observations = Disposable()
  private var continuation: Disposable?
  private var frames: FrameWriter
  private var phase = Phase.shown
  /// What the screen shows; nil if nobody knows.
  private var shown: Grid?
  /// What it is to show when the terminal has taken what was written before.
  private var wanted: Grid?
  private var isTitleShown = true

  private enum Phase {
    /// The screen is ours.
    case shown
    /// The process is stopped, or about to be, or about to go on.
    case suspended
    /// The terminal is as it was.
    case closed
  }

  /// Takes over the screen of the terminal that the process belongs to, or of another one. The
  /// environment, `TERM`, `COLORTERM` and `NO_COLOR`, says how many colours it has, unless it is said
  /// here.
  public init(
    path: String = "/dev/tty", colors: ColorDepth? = nil, on loop: EventLoop
  ) throws(TerminalError) {
    let environment = Self.environment
    let name = environment["TERM"] ?? ""
    if ["", "dumb"].contains(name) { throw .incapable(name: name) }
    device = try TerminalDevice(path: path)
    safeguard = try TerminalGuard(device)
    self.loop = loop
    size = device.size
    frames = FrameWriter(colors: colors ?? ColorDepth(environment: environment))
    writer = TerminalWriter(device.descriptor, on: loop)
    reader = InputReader(on: loop) { [device] in device.hasInput }
    takeOver()
    listen()
  }

  deinit {
    close()
  }

  // MARK: - Input

  /// What the person in front of it does; the stream completes when the terminal is closed or gone.
  public var events: EventStream<InputEvent, Never> { input.stream }

  private func listen() {
    writer.drained = { [weak self] in self?.draw() }
    observations.add(
      reader.tokens.observe(
        next: { [weak self] in self?.receive($0) }, completed: { [weak self] in self?.close() }))
    observations.add(
      loop.bytes(from: device.descriptor).observe(
        next: { [reader] in reader.receive($0) }, failed: { [reader] _ in reader.end() },
        completed: { [reader] in reader.end() }))
    observations.add(
      loop.signals(.windowChange).observeNext { [weak self] _ in self?.resize() })
    observations.add(
      loop.signals(.terminalStop).observeNext { [weak self] _ in self?.suspend() })
    listenForContinuation()
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
    // Some move lines about when they become narrower, and nobody knows what they show.
    shown = nil
    input.next(.resize(size))
  }

  // MARK: - Output

  /// Shows a grid, as soon as the terminal has taken what was shown before. Of several that come
  /// before that, only the last one is. One of another size is cut off, or filled up with blanks.
  public func show(_ grid: Grid) {
    guard phase != .closed else { return }
    wanted = grid
    draw()
  }

  /// The name of the window. It gets back its own at the end.
  public var title = "" {
    didSet {
      isTitleShown = false
      draw()
    }
  }

  /// Rings the bell.
  public func ring() {
    write(ScreenSequences.bell)
  }

  /// Puts text into the clipboard of the computer that the terminal is on, if the terminal lets
  /// programs do that.
  public func copy(_ text: String) {
    write(ScreenSequences.copy(text))
  }

  private func write(_ text: String) {
    if phase == .shown { writer.write(Array(text.utf8)) }
  }

  /// Writes what is wanted, if nothing waits to be written: of what a slow terminal has missed, it
  /// only gets the last.
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

  // MARK: - Coming and going

  private func takeOver() {
    safeguard.take()
    frames.forget()
    wanted = wanted ?? shown
    shown = nil
    phase = .shown
    isTitleShown = title.isEmpty
    write(ScreenSequences.takeOver)
    resize()
    draw()
  }

  private func giveBack() {
    writer.clear()
    safeguard.restore()
  }

  /// Gives the terminal back to the shell and stops the process, as Ctrl-Z does; where there is no
  /// shell to go on from it does not stop. When it goes on, the screen is as it was.
  public func suspend() {
    guard phase == .shown else { return }
    phase = .suspended
    continuation?.dispose()
    giveBack()
    safeguard.stop()
    guard phase == .suspended else { return }
    takeOver()
    if phase == .shown { listenForContinuation() }
  }

  /// Somebody else may have stopped the process, and the shell has set the terminal for itself since.
  private func listenForContinuation() {
    continuation = loop.signals(.continue).observeNext { [weak self] _ in
      guard let self, phase == .shown else { return }
      writer.clear()
      takeOver()
    }
  }

  /// Puts the terminal back as it was, and ends the stream of events. A second call does nothing.
  public func close() {
    guard phase != .closed else { return }
    phase = .closed
    continuation?.dispose()
    observations.dispose()
    giveBack()
    safeguard.end()
    input.completed()
  }

  /// What the environment says of the terminal.
  private static var environment: [String: String] {
    var environment: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "NO_COLOR"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    return environment
  }
}
