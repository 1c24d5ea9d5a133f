import RunnelDesk
import RunnelStreams

/// A reader of terminal input, which decides after a delay whether an Esc was the key of that
/// name.
final class InputReader {
  /// The longest delay within a sequence. Terminals send a sequence at once, and nobody types that
  /// fast.
  static let patience = Duration.milliseconds(25)

  let tokens = PushStream<InputParser.Token>()

  private var parser = InputParser()
  private let alarm: RestartableTimer
  /// Returns true if unread bytes are available: the loop may have been busy.
  private let hasMore: () -> Bool

  init(on scheduler: any Scheduler, hasMore: @escaping () -> Bool) {
    alarm = RestartableTimer(on: scheduler)
    self.hasMore = hasMore
  }

  func receive(_ bytes: [UInt8]) {
    alarm.cancel()
    let parsed = parser.parse(parser.isPasting ? bytes : bytes.withReturns)
    wait()
    send(parsed)
  }

  /// Handles the end of the input without waiting for the rest of a sequence.
  func end() {
    alarm.tearDown()
    send(parser.decide())
    tokens.completed()
  }

  private func wait() {
    guard parser.isUndecided else { return }
    alarm.set(after: Self.patience) { [weak self] in
      guard let self else { return }
      // The unread bytes arrive in this turn and resolve the ambiguity.
      if hasMore() { return wait() }
      send(parser.decide())
    }
  }

  /// Sends the tokens. Keys that type text, one after the other, are sent together.
  private func send(_ parsed: [InputParser.Token]) {
    var typed = String.UnicodeScalarView()
    for token in parsed {
      if let scalars = token.typed {
        typed += scalars
      } else {
        flush(&typed)
        tokens.next(token)
      }
    }
    flush(&typed)
  }

  private func flush(_ typed: inout String.UnicodeScalarView) {
    guard let first = typed.first else { return }
    let isKey = typed.count == 1
    let event =
      isKey ? InputEvent.key(KeyPress(.character(Character(first)))) : .text(String(typed))
    typed = String.UnicodeScalarView()
    tokens.next(.event(event))
  }
}

extension [UInt8] {
  /// The bytes with a Return for each line end of unmarked pasted text. A line feed that arrives
  /// together with text was pasted, because a key press arrives alone: there it is Ctrl+J.
  fileprivate var withReturns: [UInt8] {
    let isPasted = contains(0x0A) && contains { $0 >= 0x20 } && !contains(0x1B)
    guard isPasted else { return self }
    return indices.filter { self[$0] != 0x0A || $0 == 0 || self[$0 - 1] != 0x0D }
      .map { self[$0] == 0x0A ? 0x0D : self[$0] }
  }
}

extension InputParser.Token {
  /// The scalars that a key without modifiers types; nil for another token.
  fileprivate var typed: String.UnicodeScalarView? {
    guard case .event(.key(let press)) = self, press.modifiers.isEmpty, let text = press.text else {
      return nil
    }
    return text.unicodeScalars.count == 1 ? String(text).unicodeScalars : nil
  }
}
