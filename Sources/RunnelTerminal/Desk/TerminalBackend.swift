import RunnelDesk
import RunnelLoop
import RunnelStreams

/// Shows an application in the terminal that the process runs in.
///
///     let backend = try TerminalBackend()
///     let application = Application(backend: backend)
///     application.show(Window(title: "Hello", content: Label("Hello")))
///     EventLoop.main.run(until: application.rx.terminated)
///
/// What looks different is drawn when the job of the main loop that changed it is done, once. When the
/// terminal goes away, the application is terminated.
@MainActor
public final class TerminalBackend: Backend {
  /// The key that stops the process and gives the terminal back to the shell, until it is told to go on;
  /// nil if there is none.
  public var suspendKey = KeyPress("ctrl+z")

  /// What was copied in the application. What was copied elsewhere, a terminal does not tell: it is pasted.
  public var clipboard = "" {
    didSet { terminal.copy(clipboard) }
  }

  private let terminal: Terminal
  private weak var application: Application?
  private var drawing: Disposable?
  private let bag = DisposeBag()

  /// Takes over the screen of a terminal. See ``Terminal``.
  public init(path: String = "/dev/tty", colors: ColorDepth? = nil) throws(TerminalError) {
    terminal = try Terminal(path: path, colors: colors, on: .main)
  }

  /// From now on it shows the application.
  public func start(_ application: Application) {
    self.application = application
    terminal.events.observe(
      next: { [weak self] in self?.receive($0) },
      completed: { [weak self] in self?.application?.end() }
    ).disposed(by: bag)
    needsDisplay()
  }

  private func receive(_ event: InputEvent) {
    if let suspendKey, event == .key(suspendKey) { return terminal.suspend() }
    application?.handle(event)
  }

  /// Draws it when the present job is done.
  public func needsDisplay() {
    guard drawing == nil else { return }
    drawing = EventLoop.main.schedule(after: .zero) { [weak self] in self?.draw() }
  }

  private func draw() {
    drawing = nil
    guard let application else { return }
    terminal.title = application.windows.first?.title ?? ""
    terminal.show(Renderer.picture(of: application, size: terminal.size))
  }

  /// Rings the bell of the terminal.
  public func ring() { terminal.ring() }

  /// Puts the terminal back as it was.
  public func stop() {
    application = nil
    drawing?.dispose()
    terminal.close()
  }
}
