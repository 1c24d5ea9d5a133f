import Runnel

extension Chapter {
  /// Observable state.
  static var properties: [Chapter] {
    [
      Chapter(title: "A property") { print in
        let name = Property("Jim")
        name.observeNext { value in print("Hi \(value)!") }
        name.value = "Jim Kirk"
      },

      Chapter(title: "Binding to an object") { print in
        let name = PushStream<String>()
        var label: Label? = Label(print: print)
        if let label { name.bind(to: label.rx.text) }
        name.next("Jim")
        label = nil  // The binding ends with its target.
        name.next("Jim Kirk")
        print("Still observed: \(name.isObserved)")
      },

      Chapter(title: "A driver for user interfaces") { print in
        let numbers = Property(1)
        let doubled = numbers.stream.driver.map { $0 * 2 }
        doubled.drive { print("First \($0)") }
        doubled.drive { print("Second \($0)") }
        numbers.value = 2
      },
    ]
  }
}

/// A label that shows its text by printing it.
final class Label: LifetimeOwner {
  let lifetime = Lifetime()
  private let print: (Any) -> Void

  var text = "" {
    didSet { print("Label: \(text)") }
  }

  init(print: @escaping (Any) -> Void) {
    self.print = print
  }
}

extension Reactive where Base: Label {
  var text: Binder<String> { Binder(base) { label, text in label.text = text } }
}
