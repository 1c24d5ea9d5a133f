@MainActor
final class Controller: DialDelegate {
  private var angles: [Int] = []

  func dial(_ dial: Dial, didTurnTo angle: Int) { angles.append(angle) }
  func title(of dial: Dial) -> String { "Controller" }

  static func checkIt() {
    let controller = Controller()
    let direct = Dial()
    direct.delegate = controller
    check(direct.turn(to: 1) == "Controller")
    let proxied = Dial()
    proxied.rDelegate.answer(\.title_of) { _ in "proxy" }
    proxied.rDelegate.forwardTo = controller
    check(proxied.turn(to: 2) == "proxy")
    check(controller.angles == [1, 2])
  }
}
