import Runnel

extension Chapter {
  /// The reactive interface of a view: outputs, inputs, and properties that are both.
  static var objects: [Chapter] {
    [
      Chapter(title: "Binding a stream to a view") { print in
        let view = BananaView()
        let sizes = EventStream<Int, Never>.sequence([1, 2, 3])
        sizes.bind(to: view.rx.size)
        print("Size: \(view.size)")
      },

      Chapter(title: "A property of a control") { print in
        var view: BananaView? = BananaView()
        if let view {
          view.rx.color.observe { print($0) }
          // The user changes it, and so does the program.
          view.type("green")
          EventStream<String, Never>.just("brown").bind(to: view.rx.color)
          print("Color: \(view.color)")
        }
        view = nil
      },

      Chapter(title: "Events of a control") { print in
        var view: BananaView? = BananaView()
        if let view {
          view.rx.peeled.observe { print($0) }
          view.peel()
        }
        view = nil
      },
    ]
  }
}

/// A view in the manner of a control: it holds state and reports the user's actions.
final class BananaView: LifetimeOwner {
  let lifetime = Lifetime()
  private(set) var size = 0
  fileprivate(set) var color = "yellow"
  fileprivate let colorChanges = PushStream<String>()
  fileprivate let peels = PushStream<String>()

  func grow(to size: Int) { self.size = size }

  /// Changes the colour, as a user would.
  func type(_ color: String) {
    self.color = color
    colorChanges.next(color)
  }

  /// Peels the banana, as a user would.
  func peel() { peels.next("peeled") }
}

extension Reactive where Base: BananaView {
  /// An input.
  var size: Binder<Int> { Binder(base) { view, size in view.grow(to: size) } }

  /// An output.
  var peeled: ControlEvent<String> { ControlEvent(base.peels, of: base) }

  /// An input and output.
  var color: ControlProperty<String> {
    let current = EventStream<String, Never>.deferred { [weak base] in .from(base?.color) }
    return ControlProperty(
      of: base, values: current.append(base.colorChanges.stream),
      set: { view, color in view.color = color })
  }
}
