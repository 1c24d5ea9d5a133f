import RunnelStreams

/// A control as somebody outside of this package would write one.
final class Widget: LifetimeOwner {
  let lifetime = Lifetime()
  /// What the program set.
  var title = ""
  /// What the user changes.
  fileprivate(set) var text = "first"
  let taps = PushStream<Int>()
  fileprivate let edits = PushStream<String>()
  /// How often it was observed.
  fileprivate(set) var observations = 0

  /// Whether somebody listens to what the user types.
  var isObserved: Bool { edits.isObserved }

  /// What a user would do by hand.
  func type(_ text: String) {
    self.text = text
    edits.next(text)
  }
}

extension Reactive where Base: Widget {
  var title: Binder<String> { Binder(base) { widget, title in widget.title = title } }

  var tapped: ControlEvent<Int> { ControlEvent(base.taps, of: base) }

  var text: ControlProperty<String> {
    let edits = base.edits.stream
    let values = EventStream<String, Never>.deferred { [weak base] in
      base?.observations += 1
      return EventStream.from(base?.text).append(edits)
    }
    return ControlProperty(of: base, values: values) { widget, text in widget.text = text }
  }
}

/// An object that does not tell when it goes.
final class Label {
  var title = ""
}
