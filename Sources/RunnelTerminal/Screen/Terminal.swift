import RunnelDesk
import RunnelLoop
import RunnelStreams

/// The terminal of the process: a screen to draw on, and a source of keyboard and mouse events.
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
/// A terminal takes over the screen when it is created, and restores it when it is closed or
/// released. It is also restored in whichever way the process ends: at `exit`, by a signal, by a
/// trap, and, if the process is killed, by a guardian process. Text printed to standard error in
/// the meantime appears afterwards. A terminal that is released on another thread is closed by a
/// job of its loop.
///
/// Ctrl-C and Ctrl-Z are reported as keys; ``suspend()`` has the usual effect of Ctrl-Z. A terminal
/// is confined to the thread of its loop (C11).
public final class Terminal {
  private let session: TerminalSession
  private let loop: EventLoop

  /// Takes over the screen of the controlling terminal, or of another one. The number of colours
  /// defaults to that described by the environment variables `TERM`, `COLORTERM` and `NO_COLOR`.
  public init(
    path: String = "/dev/tty", colors: ColorDepth? = nil, on loop: EventLoop
  ) throws(TerminalError) {
    session = try TerminalSession(path: path, colors: colors, isPlain: false, on: loop)
    self.loop = loop
  }

  /// Opens a terminal for lines of text instead of the whole screen. Only its input is taken over.
  init(plainPath path: String, on loop: EventLoop) throws(TerminalError) {
    session = try TerminalSession(path: path, colors: nil, isPlain: true, on: loop)
    self.loop = loop
  }

  deinit {
    loop.close(session) { $0.close() }
  }

  // MARK: - Input

  /// The user's input. The stream completes when the terminal is closed or gone.
  public var events: EventStream<InputEvent, Never> { session.events }

  /// True when the terminal reports the movements of the mouse while no button is held. They cause
  /// much input, so it is false at first.
  public var reportsMotion: Bool {
    get { session.reportsMotion }
    set { session.reportsMotion = newValue }
  }

  // MARK: - Output

  /// The number of columns and rows.
  public var size: Size { session.size }

  /// Shows a grid as soon as the terminal has accepted earlier output. If several grids are
  /// waiting, only the last one is shown. A grid of another size is cut off or extended with
  /// blanks.
  public func show(_ grid: Grid) { session.show(grid) }

  /// The terminal must have been opened for lines.
  func write(line: String) { session.write(line: line) }

  /// The title of the window. The previous title is restored at the end.
  public var title: String {
    get { session.title }
    set { session.title = newValue }
  }

  /// Rings the bell.
  public func ring() { session.ring() }

  /// Copies text to the clipboard of the computer on which the terminal runs, if the terminal
  /// permits it.
  public func copy(_ text: String) { session.copy(text) }

  // MARK: - Life cycle

  /// Returns the terminal to the shell and stops the process, as Ctrl-Z does. Without a shell that
  /// could continue it, the process does not stop. The screen is restored when the process
  /// continues.
  public func suspend() { session.suspend() }

  /// Restores the terminal for another program, and reads no input until ``takeBack()``. Calls can be
  /// nested.
  public func lend() { session.lend() }

  /// Takes over the screen again after ``lend()``, or after the first of several nested calls of it.
  public func takeBack() { session.takeBack() }

  /// Restores the terminal and completes ``events``. A second call has no effect.
  public func close() { session.close() }
}
