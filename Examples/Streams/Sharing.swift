import Runnel

let page = EventStream<String, Never>.deferred {
  print("loading")
  return .just("page").delay(for: .milliseconds(10))
}
let front = page.share(replay: 1)
front.observeNext { print("shown: \($0)") }
front.observeNext { print("saved: \($0)") }
EventLoop.main.run(for: .milliseconds(50))

// Output:
// loading
// shown: page
// saved: page
