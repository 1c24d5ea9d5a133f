import RunnelStreams

/// A control as a client of this package would write one.
final class Widget: LifetimeOwner {
  let lifetime = Lifetime()
  /// The title that the program set.
  var title = ""
  /// The text that the user edits.
  fileprivate(set) var text = "first"
  let taps = PushStream<Int>()
  fileprivate let edits = PushStream<String>()
  /// The number of observations of ``text`` through `rx`.
  fileprivate(set) var observations = 0

  /// True while a stream of the typed text is observed.
  var isObserved: Bool { edits.isObserved }

  /// Replaces the text as a user's typing does.
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

/// An object without a lifetime: nothing reports its release.
final class Label {
  var title = ""
}
