import CTerminal
import Glibc

/// Puts a terminal back as it was, in whichever way the process ends; see `guard.h`.
struct TerminalGuard {
  private let device: TerminalDevice

  /// Makes all ready for a terminal. There is one at a time.
  init(_ device: TerminalDevice) throws(TerminalError) {
    self.device = device
    var original = device.original
    let farewell = ScreenSequences.giveBack
    var raw = device.raw
    let code = runnel_guard_begin(
      device.descriptor, &original, &raw, farewell, farewell.utf8.count)
    if code == EBUSY { throw .alreadyOpen }
    if code != 0 { throw .notProtected(code: code) }
  }

  /// Sets the terminal so that it is ours.
  func take() {
    runnel_guard_take()
    device.set(device.raw)
  }

  /// Puts it back.
  func restore() {
    runnel_guard_restore()
  }

  /// Stops the process, and returns when it goes on.
  func stop() {
    runnel_stop()
  }

  /// Puts it back for good.
  func end() {
    runnel_guard_end()
  }
}
