import RunnelDesk
import RunnelText

/// What a terminal is told when the screen becomes ours, and when it is not any more.
enum ScreenSequences {
  /// The other screen, which keeps what was on this one; and all that comes as input.
  ///
  /// A terminal that does not know one of them ignores it. Only those that are set for one screen come
  /// after that is the one.
  static let takeOver =
    // The title, to be put back; the other screen; no new line at the right edge.
    "\u{1B}[22;0t\u{1B}[?1049h\u{1B}[?7l"
    // Pastes and focus are told; so is the mouse, where a button is down, in decimal numbers.
    + "\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?1002h\u{1B}[?1006h"
    // Keys that would be the same byte as others get sequences: kitty's protocol, and xterm's.
    + "\u{1B}[>1u\u{1B}[>4;1m"
    // Does it know how to show a frame at once?
    + "\u{1B}[?2026$p"

  /// All of that taken back, in the opposite order.
  static let giveBack =
    // A text that was cut off ends, and so does a frame.
    "\u{1B}\\\u{1B}[?2026l" + "\u{1B}[>4m\u{1B}[<u"
    + "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1004l\u{1B}[?2004l"
    + "\u{1B}[?7h\u{1B}[m\u{1B}[?25h\u{1B}[?1049l\u{1B}[23;0t"

  /// The name of the window, without what would end the sequence.
  static func title(_ title: String) -> String {
    "\u{1B}]2;\(String(title.unicodeScalars.filter { !$0.isControl }))\u{1B}\\"
  }

  /// Text for the clipboard of the computer that the terminal is on.
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
