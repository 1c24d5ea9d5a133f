import CTerminal
import Glibc

/// A guard that restores a terminal in whichever way the process ends; see `guard.h`.
struct TerminalGuard {
  private let device: TerminalDevice

  /// Prepares the guard for a terminal, to which it writes `farewell` at the end. There is at most
  /// one guard at a time.
  init(_ device: TerminalDevice, farewell: String) throws(TerminalError) {
    self.device = device
    var original = device.original
    var raw = device.raw
    let code = runnel_guard_begin(
      device.descriptor, &original, &raw, farewell, farewell.utf8.count)
    if code == EBUSY { throw .alreadyOpen }
    if code != 0 { throw .notProtected(code: code) }
  }

  /// Switches the terminal to raw mode.
  func take() {
    runnel_guard_take()
    device.set(device.raw)
  }

  func restore() {
    runnel_guard_restore()
  }

  /// Stops the process, and returns when it is continued.
  func stop() {
    runnel_stop()
  }

  /// Restores the terminal permanently and ends the guard.
  func end() {
    runnel_guard_end()
  }
}
