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
/// released, and in whichever way the process ends: at `exit`, by a signal, in a trap, and by a
/// guardian process when it is killed. What is printed to standard error meanwhile appears after
/// that. Released on another thread, it is closed by a job of its loop.
///
/// Ctrl-C and Ctrl-Z are keys like others; ``suspend()`` is what Ctrl-Z should do. It belongs to the
/// thread of its loop (C11).
public final class Terminal {
  private let session: TerminalSession
  private let loop: EventLoop

  /// Takes over the screen of the terminal that the process belongs to, or of another one. The
  /// environment, `TERM`, `COLORTERM` and `NO_COLOR`, says how many colours it has, unless it is said
  /// here.
  public init(
    path: String = "/dev/tty", colors: ColorDepth? = nil, on loop: EventLoop
  ) throws(TerminalError) {
    session = try TerminalSession(path: path, colors: colors, on: loop)
    self.loop = loop
  }

  deinit {
    loop.close(session) { $0.close() }
  }

  // MARK: - Input

  /// What the person in front of it does; the stream completes when the terminal is closed or gone.
  public var events: EventStream<InputEvent, Never> { session.events }

  // MARK: - Output

  /// How many columns and rows there are.
  public var size: Size { session.size }

  /// Shows a grid, as soon as the terminal has taken what was shown before. Of several that come
  /// before that, only the last one is. One of another size is cut off, or filled up with blanks.
  public func show(_ grid: Grid) { session.show(grid) }

  /// The name of the window. It gets back its own at the end.
  public var title: String {
    get { session.title }
    set { session.title = newValue }
  }

  /// Rings the bell.
  public func ring() { session.ring() }

  /// Puts text into the clipboard of the computer that the terminal is on, if the terminal lets
  /// programs do that.
  public func copy(_ text: String) { session.copy(text) }

  // MARK: - Coming and going

  /// Gives the terminal back to the shell and stops the process, as Ctrl-Z does; where there is no
  /// shell to go on from it does not stop. When it goes on, the screen is as it was.
  public func suspend() { session.suspend() }

  /// Puts the terminal back as it was, and ends the stream of events. A second call does nothing.
  public func close() { session.close() }
}
