import RunnelDesk
import RunnelLoop
import RunnelStreams

/// A backend that shows an application in the terminal of the process.
///
///     let backend = try TerminalBackend()
///     let application = Application(backend: backend)
///     application.show(Window(title: "Hello", content: Label("Hello")))
///     EventLoop.main.run(until: application.rx.terminated)
///
/// A change is drawn after the current job of the main loop, once for all changes of that job. If
/// the terminal is closed, the application ends. The terminal reports each movement of the mouse
/// only while a visible view of the front window has a tool tip.
///
/// In plain mode the backend writes lines instead of drawing a screen, so that a screen reader or a
/// braille display can follow: the title of each window, the focused control with its value, and
/// whatever changes. It moves no cursor and uses no colours, and also works in a terminal that can
/// only print lines:
///
///     let isPlain = CommandLine.arguments.contains("--plain")
///     let application = Application(backend: try TerminalBackend(plain: isPlain))
///     application.show(window)
@MainActor
public final class TerminalBackend: Backend {
  /// The key that suspends the process and returns the terminal to the shell until the process is
  /// continued; nil for none.
  public var suspendKey = KeyPress("ctrl+z")

  /// The key that reads the front window again, in plain mode; nil for none.
  public var repeatKey = KeyPress("ctrl+l")

  /// The text that was copied in the application. Terminals do not report other clipboard contents:
  /// they paste them.
  public var clipboard = "" {
    didSet { terminal.copy(clipboard) }
  }

  private let terminal: Terminal
  /// The reader that makes the lines of plain mode; nil when the backend draws a screen.
  private let reader: LinearReader?
  private weak var application: Application?
  private var drawing: Disposable?
  private let bag = DisposeBag()

  /// Takes over the screen of a terminal. See ``Terminal``. If `plain` is true, the backend writes
  /// lines without colours instead.
  public init(
    path: String = "/dev/tty", colors: ColorDepth? = nil, plain: Bool = false
  ) throws(TerminalError) {
    terminal =
      try plain
      ? Terminal(plainPath: path, on: .main) : Terminal(path: path, colors: colors, on: .main)
    reader = plain ? LinearReader() : nil
  }

  /// Starts showing the application.
  public func start(_ application: Application) {
    self.application = application
    terminal.events.observe(
      next: { [weak self] in self?.receive($0) },
      completed: { [weak self] in self?.application?.end() }
    ).disposed(by: bag)
    needsDisplay()
  }

  /// Returns the terminal to the shell until the process is continued, as ``suspendKey`` does.
  public func suspend() {
    terminal.suspend()
    // The process has been continued.
    readAgain()
  }

  /// Gives the terminal to another program, which the closure runs, and shows the application again
  /// afterwards.
  ///
  ///     let terminal = try TerminalBackend()
  ///     let answer = await terminal.lend { readLine() }
  ///     show(answer ?? "nothing")
  ///
  /// Several programs can have the terminal, one in another or at the same time. The application is
  /// shown again when the last one has ended.
  public func lend<Output>(_ body: () async throws -> Output) async rethrows -> Output {
    terminal.lend()
    defer {
      terminal.takeBack()
      readAgain()
    }
    return try await body()
  }

  private func receive(_ event: InputEvent) {
    if let suspendKey, event == .key(suspendKey) {
      suspend()
    } else if reader != nil, let repeatKey, event == .key(repeatKey) {
      readAgain()
    } else if case .text(let text) = event, suspendKey?.text != nil || repeatKey?.text != nil {
      // One of the keys may be that key.
      for scalar in text.unicodeScalars { receive(.key(KeyPress(.character(Character(scalar))))) }
    } else {
      application?.handle(event)
    }
  }

  private func readAgain() {
    guard let reader else { return }
    reader.forget()
    needsDisplay()
  }

  /// Schedules a redraw after the current job.
  public func needsDisplay() {
    guard drawing == nil else { return }
    drawing = EventLoop.main.schedule(after: .zero) { [weak self] in self?.draw() }
  }

  private func draw() {
    drawing = nil
    guard let application else { return }
    if let reader {
      for line in reader.read(application, size: terminal.size) { terminal.write(line: line) }
      return
    }
    terminal.title = application.windows.first?.title ?? ""
    terminal.reportsMotion = application.needsMouseMotion
    terminal.show(Renderer.picture(of: application, size: terminal.size))
  }

  /// Rings the bell of the terminal.
  public func ring() { terminal.ring() }

  /// Restores the terminal.
  public func stop() {
    application = nil
    drawing?.dispose()
    terminal.close()
  }
}
