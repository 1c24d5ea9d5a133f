import Glibc
import RunnelDesk

/// A terminal of the system: a descriptor of our own, how it is set, and how large it is.
final class TerminalDevice {
  let descriptor: Int32
  /// How it was set when it was opened.
  let original: termios

  /// Opened anew, so that what is set for this descriptor is not set for others' of the same terminal:
  /// a shell whose input does not wait any more is broken.
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

  /// As it was, but each byte comes at once and as it is, none is shown by itself, and none means a
  /// signal.
  var raw: termios {
    var settings = original
    cfmakeraw(&settings)
    return settings
  }

  func set(_ settings: termios) {
    var settings = settings
    // In the background this stops the process, until it is in front again.
    while tcsetattr(descriptor, TCSANOW, &settings) != 0 && errno == EINTR {}
  }

  /// How many columns and rows it has; what most have, where it does not know.
  var size: Size {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return Size(width: 80, height: 24) }
    return Size(width: Int(window.ws_col), height: Int(window.ws_row)).ofScreen
  }

  /// Whether something has come that nobody has read.
  var hasInput: Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }
}
