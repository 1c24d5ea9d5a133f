import RunnelStreams

extension Reactive where Base: TextControl {
  /// The text: as it is, then whenever a person has changed it. For a very long one, ``didChange`` does
  /// not put it together each time.
  @MainActor public var text: ControlProperty<String> {
    ControlProperty(of: base, changes: base.signals.text, get: { $0.text }, set: { $0.text = $1 })
  }

  /// What is selected: as it is, then whenever a person has changed it.
  @MainActor public var selection: ControlProperty<TextSelection> {
    ControlProperty(
      of: base, changes: base.signals.selection, get: { $0.selection }, set: { $0.selection = $1 })
  }

  /// Sends when a person has changed the text.
  @MainActor public var didChange: ControlEvent<Void> { ControlEvent(base.signals.text, of: base) }

  /// Sends when the control has got the focus.
  @MainActor public var didBeginEditing: ControlEvent<Void> {
    ControlEvent(base.signals.beginning, of: base)
  }

  /// Sends when the control has lost the focus.
  @MainActor public var didEndEditing: ControlEvent<Void> {
    ControlEvent(base.signals.end, of: base)
  }

  /// Whether a person can change the text.
  @MainActor public var isEditable: Binder<Bool> { Binder(base) { $0.isEditable = $1 } }
}

extension Reactive where Base: TextField {
  /// Sends the text when Return is pressed.
  @MainActor public var submit: ControlEvent<String> { ControlEvent(base.submissions, of: base) }

  /// What stands there while there is no text.
  @MainActor public var placeholder: Binder<String> { Binder(base) { $0.placeholder = $1 } }
}
