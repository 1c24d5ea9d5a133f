import Runnel

extension Chapter {
  /// The reactive side of a view: what it sends, what it takes, and what is both.
  static var objects: [Chapter] {
    [
      Chapter(title: "A place to send to") { print in
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

/// A view in the manner of a control: it has state, and tells when its user did something.
final class BananaView: LifetimeOwner {
  let lifetime = Lifetime()
  private(set) var size = 0
  fileprivate(set) var color = "yellow"
  fileprivate let colorChanges = PushStream<String>()
  fileprivate let peels = PushStream<String>()

  func grow(to size: Int) { self.size = size }

  /// What a user would do by hand.
  func type(_ color: String) {
    self.color = color
    colorChanges.next(color)
  }

  /// What a user would do by hand.
  func peel() { peels.next("peeled") }
}

extension Reactive where Base: BananaView {
  /// An input.
  var size: Binder<Int> { Binder(base) { view, size in view.grow(to: size) } }

  /// An output.
  var peeled: ControlEvent<String> { ControlEvent(base.peels, of: base) }

  /// Both.
  var color: ControlProperty<String> {
    let current = EventStream<String, Never>.deferred { [weak base] in .from(base?.color) }
    return ControlProperty(
      of: base, values: current.append(base.colorChanges.stream),
      set: { view, color in view.color = color })
  }
}
