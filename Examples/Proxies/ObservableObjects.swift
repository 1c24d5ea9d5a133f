import Observation
import Runnel

@Observable
@MainActor final class Track: LifetimeOwner {
  let lifetime = Lifetime()
  var title = "Untitled"
}

let track = Track()
track.rx.observe(\.title).observeNext { title in
  print(title)
  if title == "Blue" { EventLoop.main.stop() }
}
track.title = "Blue"
EventLoop.main.run()

// Output:
// Untitled
// Blue
