import RunnelDesk
import RunnelText

/// The escape sequences that take over and restore the screen.
enum ScreenSequences {
  /// Switches to the alternate screen and enables the reports of input.
  ///
  /// A terminal ignores sequences that it does not know. Modes that belong to a screen are set
  /// after the switch.
  static let takeOver =
    // Save the title; switch to the alternate screen; do not wrap lines at the right edge.
    "\u{1B}[22;0t\u{1B}[?1049h\u{1B}[?7l"
    // Report pastes, focus, and the mouse while a button is held, with decimal coordinates.
    + "\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?1002h\u{1B}[?1006h"
    // Report ambiguous keys as sequences: the kitty protocol, and xterm's `modifyOtherKeys`.
    + "\u{1B}[>1u\u{1B}[>4;1m"
    // Ask whether the terminal supports synchronised updates.
    + "\u{1B}[?2026$p"

  /// Reverts ``takeOver`` in the opposite order.
  static let giveBack =
    // End an unfinished string, an unfinished link and an unfinished synchronised update.
    "\u{1B}\\\u{1B}]8;;\u{1B}\\\u{1B}[?2026l" + "\u{1B}[>4m\u{1B}[<u"
    + "\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[?1004l\u{1B}[?2004l"
    + "\u{1B}[?7h\u{1B}[m\u{1B}[?25h\u{1B}[?1049l\u{1B}[23;0t"

  /// Enables or disables the report of mouse movements while no button is held. Disabling it ends all
  /// reports of the mouse in some terminals, so the others are enabled again.
  static func motion(isReported: Bool) -> String {
    isReported ? "\u{1B}[?1003h" : "\u{1B}[?1003l\u{1B}[?1002h"
  }

  /// Enables the report of pastes, in plain mode. Otherwise a line break in a paste would be Return.
  static let takeOverLines = "\u{1B}[?2004h"

  /// Reverts ``takeOverLines``.
  static let giveBackLines = "\u{1B}[?2004l"

  /// Returns the sequence that sets the window title, without control characters that would end it.
  static func title(_ title: String) -> String {
    "\u{1B}]2;\(String(title.unicodeScalars.filter { !$0.isControl }))\u{1B}\\"
  }

  /// Returns the sequence that copies text to the clipboard of the computer on which the terminal
  /// runs.
  static func copy(_ text: String) -> String {
    "\u{1B}]52;c;\(base64(Array(text.utf8)))\u{1B}\\"
  }

  static let bell = "\u{7}"

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - group.count)
      for place in 0..<4 {
        let digit = digits[bits >> (18 - 6 * place) & 63]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
