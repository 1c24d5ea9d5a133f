import Runnel

@MainActor final class Label: ReactiveCompatible {
  var text = ""
}

@MainActor extension Reactive where Base: Label {
  var title: Binder<String> { Binder(base) { label, title in label.text = title } }
}

let name = Property("Ann")
let label = Label()
name.map { "Dear \($0)" }.bind(to: label.rx.title)
print(label.text)

@MainActor final class Player: LifetimeOwner {
  let lifetime = Lifetime()
}

let seconds = PushStream<Int>()
var player: Player? = Player()
if let player {
  seconds.take(until: player.rx.deallocated())
    .observe(next: { print($0) }, completed: { print("The player is gone.") })
}
seconds.next(1)
player = nil

// Output:
// Dear Ann
// 1
// The player is gone.
