import RunnelStreams

/// A control with text that a person edits: a ``TextField`` or a ``TextView``.
///
/// The program sets the text and the selection, and nobody is asked or told. What a person does is proposed:
/// by keys and the mouse, or by a backend that has controls of its own.
///
///     if !nameField.propose(text: "Emma") { show(nameField.text) }
@MainActor
public protocol TextControl: View {
  /// The text.
  var text: String { get set }
  /// The text, line by line.
  var document: TextDocument { get }
  /// What is selected, and where the caret is.
  var selection: TextSelection { get set }
  /// Whether a person can change the text.
  var isEditable: Bool { get set }
  /// What its `rx` is made of.
  var signals: TextSignals { get }

  /// Puts a text in the place of a range, as a person does: where that can edit it, and the delegate agrees.
  /// The caret is behind it then. Returns whether it was put there.
  @discardableResult
  func propose(replacing range: Range<TextPosition>, with replacement: String) -> Bool

  /// Selects something, as a person does. Returns whether that is selected then.
  @discardableResult
  func propose(selection: TextSelection) -> Bool
}

extension TextControl {
  /// Makes the text another one, as a person does: as little as can be is replaced, if the delegate agrees.
  /// Returns whether that is the text then.
  @discardableResult
  public func propose(text: String) -> Bool {
    guard let change = document.change(to: text) else { return true }
    propose(replacing: change.range, with: change.replacement)
    return self.text == text
  }
}
