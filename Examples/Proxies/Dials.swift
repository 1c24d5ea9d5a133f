import Runnel

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
  weak var delegate: (any DialDelegate)? { didSet { keepProxy(for: \.delegate) } }
  var rDelegate: DialDelegateProxy { proxy(for: \.delegate) }

  func turn(to angle: Int) {
    guard let delegate, delegate.dial(self, shouldTurnTo: angle) else { return }
    delegate.dial(self, didTurnTo: angle)
    print("\(delegate.title(of: self)) was turned.")
  }
}

let dial = Dial()
dial.rDelegate.stream(\.dial_didTurnTo).observeNext { _, angle in print(angle) }
dial.rDelegate.answer(\.title_of) { _ in "Volume" }
dial.turn(to: 30)

// Output:
// 30
// Volume was turned.
