import RunnelStreams

extension Reactive where Base: TextControl {
  /// The text: its current value, then the value after each change by the user.
  ///
  /// Each event builds the whole text. For a long text, use ``document`` or ``edits`` instead.
  @MainActor public var text: ControlProperty<String> {
    ControlProperty(of: base, changes: { $0.textChanges }, get: { $0.text }, set: { $0.text = $1 })
  }

  /// The text as a document: its current value, then the value after each change by the user. Reading
  /// it takes constant time.
  ///
  /// When the property changes, only the difference to the shown document is applied: see
  /// ``TextControl/update(to:)``. So a model can hold the document, bound in both directions:
  ///
  ///     let model = Property(TextDocument("milk"))
  ///     editor.rx.document.bindTwoWay(to: model)
  @MainActor public var document: ControlProperty<TextDocument> {
    ControlProperty(
      of: base, changes: { $0.textChanges }, get: { $0.document }, set: { $0.update(to: $1) })
  }

  /// Sends each change of the text by the user.
  @MainActor public var edits: ControlEvent<TextEdit> { ControlEvent(base.textEdits, of: base) }

  /// The selection: its current value, then the value after each change by the user.
  @MainActor public var selection: ControlProperty<TextSelection> {
    ControlProperty(
      of: base, changes: { $0.selectionChanges }, get: { $0.selection }, set: { $0.selection = $1 })
  }

  /// Sends an event after the user has changed the text.
  @MainActor public var didChange: ControlEvent<Void> { ControlEvent(base.textChanges, of: base) }

  /// Sends an event after the control got the focus.
  @MainActor public var didBeginEditing: ControlEvent<Void> {
    ControlEvent(base.editingBeginnings, of: base)
  }

  /// Sends an event after the control lost the focus.
  @MainActor public var didEndEditing: ControlEvent<Void> {
    ControlEvent(base.editingEnds, of: base)
  }

  /// True when the user can change the text.
  @MainActor public var isEditable: Binder<Bool> { Binder(base) { $0.isEditable = $1 } }
}

extension Reactive where Base: TextField {
  /// Sends the text when Return is pressed.
  @MainActor public var submit: ControlEvent<String> {
    ControlEvent(base.rDelegate.stream(\.textField_didSubmit).map { $1 }, of: base)
  }

  /// The text that is shown while the field is empty.
  @MainActor public var placeholder: Binder<String> { Binder(base) { $0.placeholder = $1 } }

  /// True when the field shows a dot for each character.
  @MainActor public var isSecure: Binder<Bool> { Binder(base) { $0.isSecure = $1 } }
}
