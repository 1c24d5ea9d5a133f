import RunnelProxies
import RunnelStreams

/// A control in which the user edits one line of text.
///
///     let search = TextField(placeholder: "Search or create")
///     let query = Property("")
///     search.rx.text.bind(to: query)
///     search.rx.submit.observeNext { print("opens \($0)") }
///
/// A delegate can complete the typed text. The completion is shown faintly after the caret. Tab,
/// End or the right arrow accepts it, Delete and Backspace refuse it, and typing continues over it.
/// Delegates and streams report changes by the user, not by the program.
///
/// A secure field is for passwords. It shows a dot for each character, and its text is neither
/// completed nor copied:
///
///     window.content = TextField(placeholder: "Password", isSecure: true)
///
/// The whole text is selected when Tab moves the focus to the field, so that typing replaces it. A
/// click places the caret.
@MainActor
public final class TextField: View, EditedControl {
  /// The object that is asked and notified when the user edits the text.
  public weak var delegate: (any TextFieldDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: TextFieldDelegateProxy { proxy(for: \.delegate) }

  /// The text, with spaces for line breaks. Setting another text clears the undo history and keeps
  /// the selection where possible.
  public var text: String {
    get { state.document.text }
    set { if setText(newValue) { offer(nil) } }
  }

  /// The text as a document, which has one line.
  public var document: TextDocument { state.document }

  /// The selection, with the caret at its moving end.
  public var selection: TextSelection {
    get { state.selection }
    set {
      setSelection(newValue)
      offer(nil)
    }
  }

  /// True when the user can change the text. Otherwise the user can only read and copy it.
  public var isEditable = true { didSet { needsDisplay() } }

  /// The text that is shown faintly while the field is empty.
  public var placeholder: String { didSet { needsDisplay() } }

  /// True when the field shows a dot for each character. The user then cannot cut or copy the text,
  /// and it is neither completed nor highlighted.
  public var isSecure: Bool {
    didSet {
      if isSecure == oldValue { return }
      offer(nil)
      revealCaret()
    }
  }

  /// A closure that returns the highlighted parts of the text.
  public var highlights: (_ text: String) -> [TextHighlight] = { _ in [] } {
    // The old closure is released after the assignment, because what it captures may read this
    // property.
    didSet { withExtendedLifetime(oldValue) { needsDisplay() } }
  }

  /// The proposed completion, which begins with the typed text; nil if there is none.
  public private(set) var completion: String?

  /// The control that contains the field and completes its behavior, if any.
  weak var helper: (any TextFieldHelper)?

  var state: EditingState
  var drag: TextDrag?
  private(set) var scroll = TextScroll()
  /// The dots of a secure field, as of the last layout.
  private var dots = SecureText()
  /// True while a selection that was made when the focus entered has not been reported.
  private var hasUnreportedSelection = false

  /// Creates a field with a text, and the caret at its end.
  public init(_ text: String = "", placeholder: String = "", isSecure: Bool = false) {
    state = EditingState(text, isSingleLine: true)
    self.placeholder = placeholder
    self.isSecure = isSecure
    state.select(TextSelection(caret: state.document.end))
  }

  // MARK: - Streams

  /// Sends each change of the text by the user.
  public var textEdits: EventStream<TextEdit, Never> {
    rDelegate.stream(\.textField_didChangeText).map { $1 }
  }
  /// Sends an event after the user has changed the selection or moved the caret.
  public var selectionChanges: EventStream<Void, Never> {
    rDelegate.stream(\.textFieldDidChangeSelection).map { _ in }
  }
  /// Sends an event after the field got the focus.
  public var editingBeginnings: EventStream<Void, Never> {
    rDelegate.stream(\.textFieldDidBeginEditing).map { _ in }
  }
  /// Sends an event after the field lost the focus.
  public var editingEnds: EventStream<Void, Never> {
    rDelegate.stream(\.textFieldDidEndEditing).map { _ in }
  }

  // MARK: - Changes by the user

  /// Replaces a range of text, if the delegate agrees. See ``TextControl``.
  @discardableResult
  public func propose(replacing range: Range<TextPosition>, with replacement: String) -> Bool {
    make(replacing: range, with: replacement)
  }

  /// Makes edits that come from elsewhere. See ``TextControl``. Line breaks become spaces.
  @discardableResult
  public func apply(_ edits: [TextEdit]) -> [TextEdit] {
    let made = make(outside: edits)
    if !made.isEmpty { offer(nil) }
    return made
  }

  /// Changes the selection. See ``TextControl``.
  @discardableResult
  public func propose(selection: TextSelection) -> Bool { change(to: selection) }

  // MARK: - Completion

  /// Asks the delegate for a completion again, for example when more completions are known.
  public func complete() {
    guard isFirstResponder && isEditable && !isSecure, !state.document.isEmpty,
      state.selection == TextSelection(caret: state.document.end)
    else { return offer(nil) }
    let completion = delegate?.textField(self, completionFor: text)
    offer(completion ?? helper?.completion(of: text))
  }

  /// Replaces the text with the proposed completion, if the delegate agrees. Returns true if the
  /// text was replaced.
  @discardableResult
  public func acceptCompletion() -> Bool {
    guard let completion else { return false }
    return make(state.edit(replacing: state.document.bounds, with: completion))
  }

  var shownState: EditingState { isSecure ? dots.state : state }

  /// The part of the completion that has not been typed yet.
  package var completionRest: Substring {
    isSecure ? "" : completion.flatMap { $0.rest(after: text) } ?? ""
  }

  private func offer(_ completion: String?) {
    let isUseful = completion?.rest(after: text)?.isEmpty == false
    self.completion = isUseful ? completion : nil
    needsDisplay()
  }

  // MARK: - Focus

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    let suffix = completion.map { ", completion \($0)" } ?? ""
    return Accessibility(
      .textField, label: placeholder, value: spokenText + suffix,
      detail: isSecure ? "" : caretDetail)
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func shouldBecomeFirstResponder() -> Bool {
    delegate?.textFieldShouldBeginEditing(self) ?? true
  }

  override public func shouldResignFirstResponder() -> Bool {
    delegate?.textFieldShouldEndEditing(self) ?? true
  }

  override func focusEntersInOrder() {
    let before = selection
    setSelection(TextSelection(anchor: .start, head: document.end))
    hasUnreportedSelection = selection != before
  }

  override public func didBecomeFirstResponder() {
    let isSelectionNew = hasUnreportedSelection
    hasUnreportedSelection = false
    delegate?.textFieldDidBeginEditing(self)
    if isSelectionNew { delegate?.textFieldDidChangeSelection(self) }
  }

  override public func didResignFirstResponder() {
    offer(nil)
    delegate?.textFieldDidEndEditing(self)
  }

  // MARK: - Keys and mouse

  /// The cell of the caret, if it is visible.
  override public var contextMenuAnchor: Rect {
    guard let caret = caretCell(scroll) else { return super.contextMenuAnchor }
    return Rect(origin: caret, size: Size(width: 1, height: 1))
  }

  override public func perform(_ command: Command) -> Bool {
    if delegate?.textField(self, doCommand: command) == true { return true }
    if helper?.helpPerforming(command) == true { return true }
    switch command {
    case .insertTab, .move(.right), .move(.wordRight), .move(.lineEnd), .move(.end):
      if acceptCompletion() { return true }
    case .delete(.right):
      // There is nothing to delete after the caret but the completion.
      if completion != nil {
        offer(nil)
        return true
      }
    case .complete:
      complete()
      return completion != nil
    case .insertNewline:
      // The default button may react to Return too, so the command is not reported as handled.
      delegate?.textField(self, didSubmit: text)
      return false
    // They scroll a view that contains the field.
    case .move(.pageUp), .move(.pageDown): return false
    case .move, .extend, .insertBacktab, .cancel, .selectAll, .delete, .undo, .redo, .moveLinesUp,
      .moveLinesDown, .cut, .copy,
      .paste, .quit:
      break
    }
    let possible = isSecure ? command.inSecureText : command
    return possible.map(edit) ?? false
  }

  override public func insert(_ text: String) -> Bool {
    propose(replacing: selection.range, with: text)
    return isEditable
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    // A double click selects all of a secure text, because its words are secret too.
    select(with: event, clicks: isSecure && clicks % 3 == 2 ? 3 : clicks)
  }

  // MARK: - Layout

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  override public func layoutSubviews() {
    scroll.followsCaret = true
    if isSecure {
      dots.update(to: state)
      dots.update(&scroll, size: bounds.size)
    } else {
      scroll.update(&state, size: bounds.size, wraps: false)
    }
  }

  func position(at point: Point) -> TextPosition {
    // The text may have changed since the last layout.
    layoutSubviews()
    let point = Point(x: point.x, y: 0)
    return isSecure
      ? dots.position(at: point, in: scroll, of: state) : scroll.position(at: point, in: &state)
  }

  func revealCaret() { needsDisplay() }

  // MARK: - Delegate

  func shouldChangeText(in range: Range<TextPosition>, with replacement: String) -> Bool {
    delegate?.textField(self, shouldChangeTextIn: range, with: replacement) ?? true
  }

  func textWasEdited(_ edit: TextEdit?) {}

  func didChangeText(_ edit: TextEdit) {
    offer(nil)
    delegate?.textField(self, didChangeText: edit)
  }

  func didChangeSelection() {
    offer(nil)
    delegate?.textFieldDidChangeSelection(self)
  }

  func didMake(_ edit: EditProposal) {
    switch edit.kind {
    // A deletion shows that the user does not want a completion.
    case .typing, .other: if !edit.replacement.isEmpty { complete() }
    case .deleting, .undo, .redo: break
    }
  }
}

extension String {
  /// Returns the text that follows a prefix, ignoring case; nil if the text does not begin with it.
  fileprivate func rest(after beginning: String) -> Substring? {
    var rest = self[...]
    for character in beginning {
      guard rest.popFirst()?.lowercased() == character.lowercased() else { return nil }
    }
    return rest
  }
}
