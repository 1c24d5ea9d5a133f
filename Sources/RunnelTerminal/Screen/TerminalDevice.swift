import Glibc
import RunnelDesk

/// A terminal device: its own descriptor, its settings and its size.
final class TerminalDevice {
  let descriptor: Int32
  /// The settings at the time of opening.
  let original: termios

  /// Opens the device again, because `O_NONBLOCK` would affect all duplicates of a descriptor. A
  /// shell with non-blocking input does not work.
  init(path: String) throws(TerminalError) {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .notOpened(path: path, code: errno) }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      close(descriptor)
      throw .notATerminal(path: path)
    }
    self.descriptor = descriptor
    original = settings
  }

  deinit {
    close(descriptor)
  }

  /// The original settings in raw mode: bytes arrive one by one and unchanged, without echo or
  /// signals.
  var raw: termios {
    var settings = original
    cfmakeraw(&settings)
    return settings
  }

  func set(_ settings: termios) {
    var settings = settings
    // In the background, this call stops the process until it is in the foreground.
    while tcsetattr(descriptor, TCSANOW, &settings) != 0 && errno == EINTR {}
  }

  /// The number of columns and rows; 80 × 24 if the terminal does not know its size.
  var size: Size {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(width: 80, height: 24) }
    return Size(width: Int(window.ws_col), height: Int(window.ws_row)).ofScreen
  }

  /// True if reading returns at once, because of input, a hang-up or an error.
  var hasInput: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
