import RunnelProxies
import RunnelStreams

/// A text of many lines that a person reads and edits.
///
///     let body = TextView("one\ntwo")
///     body.rx.text.changed.observeNext { print($0) }
///     body.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, text in text != "\t" }
///
/// It takes no longer for a text of many megabytes than for a short one. What the program sets is neither
/// asked nor told: delegates and streams hear of what a person does.
@MainActor
public final class TextView: View, EditedControl {
  /// Who is asked and told when a person edits the text.
  public weak var delegate: (any TextViewDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: TextViewDelegateProxy { proxy(for: \.delegate) }

  /// The text. What is selected stays where it can when another text is set; the changes before cannot
  /// be undone then.
  public var text: String {
    get { state.document.text }
    set { setText(newValue) }
  }

  /// The text, line by line: getting it takes no time, however long it is.
  public var document: TextDocument { state.document }

  /// Forgets all changes of the text: they cannot be undone or redone any more. Call it when the view
  /// shows another document, which may have the same text as the one before.
  public func clearUndoHistory() { state.clearUndoHistory() }

  /// What is selected, and where the caret is, which is shown when that is set.
  public var selection: TextSelection {
    get { state.selection }
    set { setSelection(newValue) }
  }

  /// The beginning of the first row that is shown. As long as nothing else is done, it stays there, and
  /// goes with its row when the text before it changes.
  public var top: TextPosition {
    get { state.top }
    set {
      state.top = newValue
      scroll.followsCaret = false
      needsDisplay()
    }
  }

  /// Whether a person can change the text, and not only read it and copy from it.
  public var isEditable = true { didSet { needsDisplay() } }

  /// Whether lines that are too long take several rows.
  public var wrapsLines = true { didSet { needsDisplay() } }

  /// Which parts of a line look different, by its number and its text. Lines that are not seen are not
  /// asked for.
  public var highlights: (_ number: Int, _ line: String) -> [TextHighlight] = { _, _ in [] } {
    // The old closure is released when the property has the new one: what it kept may ask for it.
    didSet { withExtendedLifetime(oldValue) { needsDisplay() } }
  }

  var state: EditingState
  var drag: TextDrag?
  private(set) var scroll = TextScroll()
  /// What its `rx` is made of.
  public let signals = TextSignals()

  /// How many rows the wheel goes by one notch.
  private static let wheelRows = 3

  /// A view of a text, with the caret at its beginning.
  public init(_ text: String = "") {
    state = EditingState(text)
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

  // MARK: - Focus

  override public var canBecomeFirstResponder: Bool { true }

  override public func shouldBecomeFirstResponder() -> Bool {
    delegate?.textViewShouldBeginEditing(self) ?? true
  }

  override public func shouldResignFirstResponder() -> Bool {
    delegate?.textViewShouldEndEditing(self) ?? true
  }

  override public func didBecomeFirstResponder() {
    delegate?.textViewDidBeginEditing(self)
    signals.beginning.next(())
  }

  override public func didResignFirstResponder() {
    delegate?.textViewDidEndEditing(self)
    signals.end.next(())
  }

  // MARK: - Keys and mouse

  override public func perform(_ command: Command) -> Bool {
    if delegate?.textView(self, doCommand: command) == true { return true }
    return edit(by: command)
  }

  override public func insert(_ text: String) -> Bool {
    propose(replacing: selection.range, with: text)
    return isEditable
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .wheel(.up): scrollRows(by: -Self.wheelRows)
    case .wheel(.down): scrollRows(by: Self.wheelRows)
    case .wheel, .press, .release, .drag, .move: return select(with: event, clicks: clicks)
    }
    return true
  }

  private func scrollRows(by count: Int) {
    scroll.scroll(by: count, &state)
    needsDisplay()
  }

  // MARK: - Layout

  override public func layoutSubviews() {
    scroll.update(&state, size: bounds.size, wraps: wrapsLines)
  }

  func position(at point: Point) -> TextPosition {
    // The text may have changed since it was shown.
    layoutSubviews()
    return scroll.position(at: point, in: &state)
  }

  func revealCaret() {
    scroll.followsCaret = true
    needsDisplay()
  }

  // MARK: - Asking and telling

  func shouldChangeText(in range: Range<TextPosition>, with replacement: String) -> Bool {
    delegate?.textView(self, shouldChangeTextIn: range, with: replacement) ?? true
  }

  func didChangeText() { delegate?.textViewDidChangeText(self) }
  func didChangeSelection() { delegate?.textViewDidChangeSelection(self) }
  func didMake(_ edit: TextEdit) {}
}
