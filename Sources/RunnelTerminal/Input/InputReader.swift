import RunnelDesk
import RunnelStreams

/// Sends what a terminal's bytes mean, and decides after a while that an Esc was the key.
final class InputReader {
  /// How long the rest of a sequence may take to come: terminals send it at once, and nobody types so
  /// fast.
  static let patience = Duration.milliseconds(25)

  let tokens = PushStream<InputParser.Token>()

  private var parser = InputParser()
  private let alarm: RestartableTimer
  /// Whether bytes have come that nobody has read yet: the loop may have been busy elsewhere.
  private let hasMore: () -> Bool

  init(on scheduler: any Scheduler, hasMore: @escaping () -> Bool) {
    alarm = RestartableTimer(on: scheduler)
    self.hasMore = hasMore
  }

  func receive(_ bytes: [UInt8]) {
    alarm.cancel()
    let parsed = parser.parse(bytes)
    wait()
    send(parsed)
  }

  /// Waits no longer: nothing comes any more.
  func end() {
    alarm.tearDown()
    send(parser.decide())
    tokens.completed()
  }

  private func wait() {
    guard parser.isUndecided else { return }
    alarm.set(after: Self.patience) { [weak self] in
      guard let self else { return }
      // They will be read in this turn, and say what it is.
      if hasMore() { return wait() }
      send(parser.decide())
    }
  }

  private func send(_ parsed: [InputParser.Token]) {
    for token in parsed { tokens.next(token) }
  }
}
