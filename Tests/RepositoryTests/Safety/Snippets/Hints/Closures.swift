import RunnelProxies
import RunnelStreams

@Proxied @MainActor private protocol DialDelegate: AnyObject {
  func dial(_ dial: Dial, didTurnTo angle: Int)
  func dial(_ dial: Dial, shouldTurnTo angle: Int) -> Bool
  func title(of dial: Dial) -> String
  func isOn() -> Bool
}

@MainActor private final class Dial {}

@MainActor private func answer(_ proxy: DialDelegateProxy) {
  // expect: 'answer(_:with:)' is unavailable: an event requirement has no answer: use stream(_:_:)
  proxy.answer(\.dial_didTurnTo) { _, _ in }
  // expect: 'answer(_:with:)' is unavailable: an event requirement has no answer: use stream(_:_:)
  proxy.answer(\.dial_didTurnTo) { _, angle in angle > 3 }
  // expect: 'stream' is unavailable: the requirement has a result, which the closure must return; to
  //   observe only the calls, use stream(_:) without a closure
  proxy.stream(\.dial_shouldTurnTo) { (push: PushStream<Int>, _, angle) in
    push.next(angle)
  }.observeNext { print($0) }
  // expect: 'answer(_:with:)' is unavailable: the closure needs all parameters; write _ for unused
  //   ones
  proxy.answer(\.title_of) { "Volume" }
  // expect: 'answer(_:with:)' is unavailable: the closure needs all parameters; write _ for unused
  //   ones
  proxy.answer(\.dial_shouldTurnTo) { true }
  // expect: 'answer(_:with:)' is unavailable: the closure needs all parameters; write _ for unused
  //   ones
  proxy.answer(\.dial_shouldTurnTo) { angle in angle > 3 }
  // expect: 'answer(_:with:)' is unavailable: the closure has more parameters than the requirement
  proxy.answer(\.title_of) { _, _ in "Volume" }
  // expect: 'answer(_:with:)' is unavailable: the closure has more parameters than the requirement
  proxy.answer(\.isOn) { _ in true }
  // expect: 'stream' is unavailable: the closure needs a PushStream and all parameters; write _ for
  //   unused ones
  proxy.stream(\.dial_didTurnTo) { (push: PushStream<Int>, angle) in
    push.next(angle)
  }.observeNext { print($0) }
  // expect: 'stream' is unavailable: the closure needs a PushStream and all parameters; write _ for
  //   unused ones
  proxy.stream(\.dial_didTurnTo) { _, angle in print(angle) }.observeNext { print($0) }
  // expect: 'stream' is unavailable: the closure needs a PushStream and all parameters; write _ for
  //   unused ones
  proxy.stream(\.title_of) { (push: PushStream<Int>) in
    push.next(1)
    return "Volume"
  }.observeNext { print($0) }
  // expect: 'stream' is unavailable: the closure needs a PushStream and all parameters; write _ for
  //   unused ones
  proxy.stream(\.dial_shouldTurnTo) { (push: PushStream<Int>, angle) in
    push.next(angle)
    return true
  }.observeNext { print($0) }
}
