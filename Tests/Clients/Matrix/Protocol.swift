@Proxied
@MainActor
protocol DialDelegate: AnyObject {
  func dial(_ dial: Dial, didTurnTo angle: Int)
  @Default(true) func dial(_ dial: Dial, shouldTurnTo angle: Int) -> Bool
  func title(of dial: Dial) -> String
}

@MainActor
final class Dial: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any DialDelegate)?
  var rDelegate: DialDelegateProxy { proxy(for: \.delegate) }

  /// Calls every requirement, as a control does.
  func turn(to angle: Int) -> String {
    guard delegate?.dial(self, shouldTurnTo: angle) == true else { return "refused" }
    delegate?.dial(self, didTurnTo: angle)
    return delegate?.title(of: self) ?? "no delegate"
  }
}

@MainActor func checkDial() {
  let dial = Dial()
  var angles: [Int] = []
  dial.rDelegate.stream(\.dial_didTurnTo).observeNext { _, angle in angles.append(angle) }
  dial.rDelegate.answer(\.title_of) { _ in "proxy" }
  check(dial.turn(to: 3) == "proxy")
  check(angles == [3])
}
