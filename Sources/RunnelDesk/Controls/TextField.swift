import RunnelProxies
import RunnelStreams

/// A line of text that a person edits.
///
///     let search = TextField(placeholder: "Search or create")
///     let query = Property("")
///     search.rx.text.bind(to: query)
///     search.rx.submit.observeNext { print("opens \($0)") }
///
/// A delegate can complete what is typed: its proposal stands behind the caret, faintly; Tab, End or the
/// arrow to the right accept it, and typing goes on over it. What the program sets is neither asked nor
/// told: delegates and streams hear of what a person does.
@MainActor
public final class TextField: View, EditedControl {
  /// Who is asked and told when a person edits the text.
  public weak var delegate: (any TextFieldDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: TextFieldDelegateProxy { proxy(for: \.delegate) }

  /// The text, in which line breaks are spaces. What is selected stays where it can when another text is
  /// set; the changes before cannot be undone then.
  public var text: String {
    get { state.document.text }
    set { if setText(newValue) { offer(nil) } }
  }

  /// The text, which has one line.
  public var document: TextDocument { state.document }

  /// What is selected, and where the caret is.
  public var selection: TextSelection {
    get { state.selection }
    set {
      setSelection(newValue)
      offer(nil)
    }
  }

  /// Whether a person can change the text, and not only read it and copy from it.
  public var isEditable = true { didSet { needsDisplay() } }

  /// What stands there, faintly, while there is no text.
  public var placeholder: String { didSet { needsDisplay() } }

  /// Which parts of the text look different.
  public var highlights: (_ text: String) -> [TextHighlight] = { _ in [] } {
    // The old closure is released when the property has the new one: what it kept may ask for it.
    didSet { withExtendedLifetime(oldValue) { needsDisplay() } }
  }

  /// The text that is proposed in the place of the one that was typed, which is its beginning.
  public private(set) var completion: String?

  var state: EditingState
  var drag: TextDrag?
  private(set) var scroll = TextScroll()
  /// What its `rx` is made of.
  public let signals = TextSignals()
  let submissions = PushStream<String>()

  /// A field with a text, and the caret at its end.
  public init(_ text: String = "", placeholder: String = "") {
    state = EditingState(text, isSingleLine: true)
    self.placeholder = placeholder
    state.select(TextSelection(caret: state.document.end))
  }

  // MARK: - What a person does

  /// Puts a text in the place of a range, if the delegate agrees. See ``TextControl``.
  @discardableResult
  public func propose(replacing range: Range<TextPosition>, with replacement: String) -> Bool {
    make(replacing: range, with: replacement)
  }

  /// Selects something. See ``TextControl``.
  @discardableResult
  public func propose(selection: TextSelection) -> Bool { change(to: selection) }

  // MARK: - Completion

  /// Asks the delegate anew what the text may be the beginning of: it may know more than when that was
  /// typed.
  public func complete() {
    guard isFirstResponder && isEditable, !state.document.isEmpty,
      state.selection == TextSelection(caret: state.document.end)
    else { return offer(nil) }
    offer(delegate?.textField(self, completionFor: text))
  }

  /// Puts what is proposed in the place of the text, if the delegate agrees. Returns whether it did.
  @discardableResult
  public func acceptCompletion() -> Bool {
    guard let completion else { return false }
    return make(state.edit(replacing: state.document.bounds, with: completion))
  }

  /// What of the proposal is not there yet.
  var completionRest: Substring { completion.flatMap { $0.rest(behind: text) } ?? "" }

  private func offer(_ completion: String?) {
    let isUseful = completion?.rest(behind: text)?.isEmpty == false
    self.completion = isUseful ? completion : nil
    needsDisplay()
  }

  // MARK: - Focus

  override public var canBecomeFirstResponder: Bool { true }

  override public func shouldBecomeFirstResponder() -> Bool {
    delegate?.textFieldShouldBeginEditing(self) ?? true
  }

  override public func shouldResignFirstResponder() -> Bool {
    delegate?.textFieldShouldEndEditing(self) ?? true
  }

  override public func didBecomeFirstResponder() {
    delegate?.textFieldDidBeginEditing(self)
    signals.beginning.next(())
  }

  override public func didResignFirstResponder() {
    offer(nil)
    delegate?.textFieldDidEndEditing(self)
    signals.end.next(())
  }

  // MARK: - Keys and mouse

  override public func perform(_ command: Command) -> Bool {
    if delegate?.textField(self, doCommand: command) == true { return true }
    switch command {
    case .insertTab, .move(.right), .move(.wordRight), .move(.lineEnd), .move(.end):
      if acceptCompletion() { return true }
    case .complete:
      complete()
      return completion != nil
    case .insertNewline:
      // A default button may be pressed too, so the key is not used up.
      delegate?.textFieldDidSubmit(self)
      submissions.next(text)
      return false
    case .move, .extend, .insertBacktab, .cancel, .selectAll, .delete, .undo, .redo, .cut, .copy,
      .paste, .quit:
      break
    }
    return edit(by: command)
  }

  override public func insert(_ text: String) -> Bool {
    propose(replacing: selection.range, with: text)
    return isEditable
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    select(with: event, clicks: clicks)
  }

  // MARK: - Layout

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  override public func layoutSubviews() {
    scroll.followsCaret = true
    scroll.update(&state, size: bounds.size, wraps: false)
  }

  func position(at point: Point) -> TextPosition {
    // The text may have changed since it was shown.
    layoutSubviews()
    return scroll.position(at: Point(x: point.x, y: 0), in: &state)
  }

  func revealCaret() { needsDisplay() }

  // MARK: - Asking and telling

  func shouldChangeText(in range: Range<TextPosition>, with replacement: String) -> Bool {
    delegate?.textField(self, shouldChangeTextIn: range, with: replacement) ?? true
  }

  func didChangeText() {
    offer(nil)
    delegate?.textFieldDidChangeText(self)
  }

  func didChangeSelection() {
    offer(nil)
    delegate?.textFieldDidChangeSelection(self)
  }

  func didMake(_ edit: TextEdit) {
    switch edit.kind {
    // Who deletes does not want what was proposed.
    case .typing, .other: if !edit.replacement.isEmpty { complete() }
    case .deleting, .undo, .redo: break
    }
  }
}

extension String {
  /// What stands behind a beginning, in which capitals are as good as small letters; nil if it begins
  /// otherwise.
  fileprivate func rest(behind beginning: String) -> Substring? {
    var rest = self[...]
    for character in beginning {
      guard rest.popFirst()?.lowercased() == character.lowercased() else { return nil }
    }
    return rest
  }
}
