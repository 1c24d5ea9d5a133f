import Runnel

@MainActor final class Button: LifetimeOwner {
  let lifetime = Lifetime()
  let taps = PushStream<Void>()
}

@MainActor final class Slider: LifetimeOwner {
  let lifetime = Lifetime()
  let position = Property(0.0)
}

@MainActor extension Reactive where Base: Button {
  var tap: ControlEvent<Void> { ControlEvent(base.taps, of: base) }
}
@MainActor extension Reactive where Base: Slider {
  var value: ControlProperty<Double> {
    ControlProperty(of: base, values: base.position) { $0.position.value = $1 }
  }
}

let slider = Slider()
let saveButton = Button()
let progress = Property(0.0)
saveButton.rx.tap.observeNext { print("saved \(slider.position.value)") }
slider.rx.value.map { $0 / 100 }.bind(to: progress)

slider.position.value = 50
saveButton.taps.next(())
print(progress.value)

// Output:
// saved 50.0
// 0.5
