import RunnelProxies
import RunnelStreams

/// A control in which the user reads and edits a text of many lines.
///
///     let body = TextView("one\ntwo")
///     body.rx.edits.observeNext { print($0.range, $0.new) }
///     body.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, text in text != "\t" }
///
/// Editing a text of many megabytes takes no longer than editing a short one. Delegates and streams
/// report the user's changes, not those of the program.
@MainActor
public final class TextView: View, EditedControl {
  /// The object that is asked and notified when the user edits the text.
  public weak var delegate: (any TextViewDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: TextViewDelegateProxy { proxy(for: \.delegate) }

  /// The text. Setting another text clears the undo history and keeps the selection where possible.
  public var text: String {
    get { state.document.text }
    set { setText(newValue) }
  }

  /// The text as a document of lines. Reading it takes constant time.
  public var document: TextDocument { state.document }

  /// Clears the undo history. Call this method when the view shows another document, even if that
  /// has the same text.
  public func clearUndoHistory() { state.clearUndoHistory() }

  /// Lets the last two edits be undone together, for example after text was dragged.
  package func joinLastEdits() { state.joinLastEdits() }

  /// True if there is an edit to undo.
  public var canUndo: Bool { state.canUndo }

  /// True if there is an undone edit to make again.
  public var canRedo: Bool { state.canRedo }

  /// The selection, with the caret at its moving end. Setting it scrolls to the caret.
  public var selection: TextSelection {
    get { state.selection }
    set { setSelection(newValue) }
  }

  /// The start of the first visible row. It moves along with its row when the text above changes,
  /// and stays until the view scrolls for another reason.
  public var top: TextPosition {
    get { state.top }
    set {
      state.top = newValue
      scroll.followsCaret = false
      topRevision += 1
      needsDisplay()
    }
  }

  /// The number of times that the program has set ``top`` or shown another text session.
  package private(set) var topRevision = 0

  /// The native widget that shows the text, if there is one.
  package weak var native: (any NativeText)?

  /// Informs the view that a native widget has scrolled.
  package func didScroll(to top: TextPosition) {
    state.top = top
    scroll.followsCaret = false
  }

  /// True when the user can change the text. Otherwise the user can only read and copy it.
  public var isEditable = true { didSet { needsDisplay() } }

  /// True when long lines are wrapped into several rows.
  public var wrapsLines = true { didSet { needsDisplay() } }

  /// A closure that returns the parts of a line that look different because of the text of the line
  /// alone, such as headings and links. It is called when a line with a new text becomes visible. Its
  /// results are kept, so they must depend on the text alone. It is not called for a line of more than
  /// 2,000 bytes.
  ///
  ///     editor.syntax = { TextHighlight.markdown(in: $0) }
  public var syntax: (_ line: String) -> [TextHighlight] = { _ in [] } {
    didSet {
      withExtendedLifetime(oldValue) {
        knownSyntax = LineSyntax()
        needsDisplay()
      }
    }
  }

  private var knownSyntax = LineSyntax()

  /// The text that begins and ends a block of code at the start of a line, such as "```" in Markdown;
  /// nil for none. The lines of a block are shown as code, without ``syntax``.
  public var codeFence: String? {
    didSet {
      fences = makeFences()
      needsDisplay()
    }
  }

  private var fences: CodeFences?

  private func makeFences() -> CodeFences? {
    codeFence.flatMap { $0.isEmpty ? nil : CodeFences($0) }
  }

  /// Returns all highlighted parts of a line. Later ones cover earlier ones.
  package func allHighlights(_ number: Int, _ line: String) -> [TextHighlight] {
    let all = line.startIndex..<line.endIndex
    let own =
      fences?.isCode(number, of: document) == true
      ? [TextHighlight(all, style: TextHighlight.codeStyle, letters: .monospaced)]
      : knownSyntax.parts(of: line, syntax)
    return own + misspellings(number, line) + highlights(number, line)
      + (findBar?.marks(number, line) ?? [])
  }

  private func misspellings(_ number: Int, _ line: String) -> [TextHighlight] {
    guard isEditable, let spelling else { return [] }
    return spelling.marks(number, line, in: document, caret: selection.head)
  }

  /// The dictionary that checks the words of the lines in view, as long as the user can edit them; nil to check
  /// nothing. Misspelled words get a wavy line, and the context menu at one has words that may be meant.
  ///
  /// Code, addresses, paths, `[[links]]`, tags such as `#work`, and words with digits are not checked, nor is
  /// a line of more than 2,000 bytes.
  public var spellChecker: (any SpellChecker)? {
    didSet {
      withExtendedLifetime(oldValue) {
        spelling = spellChecker.map { TextSpelling($0) }
        needsDisplay()
      }
    }
  }

  private(set) var spelling: TextSpelling?

  /// A closure that returns the picture to show below a line; nil for none. It is called for the lines in view, at
  /// each draw. Windows show the picture, and terminals the text alone.
  ///
  ///     editor.picture = { TextPicture.markdown(in: $0, relativeTo: "/home/anna/letters") }
  ///
  /// A picture that is wider than the view is scaled down. One that is missing, damaged, larger than 20 MB or
  /// than 50 million pixels is not shown.
  public var picture: (_ line: String) -> TextPicture? = { _ in nil } {
    didSet { withExtendedLifetime(oldValue) { needsDisplay() } }
  }

  /// The bar that finds text in this view, if there is one.
  weak var findBar: FindBar?

  /// A closure that returns the highlighted parts of a line, by its number and its text. It is
  /// called for each visible line at each draw. Its parts cover the parts of ``syntax``.
  public var highlights: (_ number: Int, _ line: String) -> [TextHighlight] = { _, _ in [] } {
    // The old closure is released after the assignment, because what it captures may read this
    // property.
    didSet { withExtendedLifetime(oldValue) { needsDisplay() } }
  }

  var state: EditingState
  var drag: TextDrag?
  private(set) var scroll = TextScroll()

  /// The number of rows that one notch of the wheel scrolls.
  private static let wheelRows = 3

  /// Creates a view of a text, with the caret at its start.
  public init(_ text: String = "") {
    state = EditingState(text)
  }

  // MARK: - Streams

  /// Sends each change of the text by the user.
  public var textEdits: EventStream<TextEdit, Never> {
    rDelegate.stream(\.textView_didChangeText).map { $1 }
  }
  /// Sends an event after the user has changed the selection or moved the caret.
  public var selectionChanges: EventStream<Void, Never> {
    rDelegate.stream(\.textViewDidChangeSelection).map { _ in }
  }
  /// Sends an event after the view got the focus.
  public var editingBeginnings: EventStream<Void, Never> {
    rDelegate.stream(\.textViewDidBeginEditing).map { _ in }
  }
  /// Sends an event after the view lost the focus.
  public var editingEnds: EventStream<Void, Never> {
    rDelegate.stream(\.textViewDidEndEditing).map { _ in }
  }

  // MARK: - Changes by the user

  /// Replaces a range of text, if the delegate agrees. See ``TextControl``.
  @discardableResult
  public func propose(replacing range: Range<TextPosition>, with replacement: String) -> Bool {
    make(replacing: range, with: replacement)
  }

  /// Makes edits that come from elsewhere. See ``TextControl``.
  @discardableResult
  public func apply(_ edits: [TextEdit]) -> [TextEdit] { make(outside: edits) }

  /// Changes the selection. See ``TextControl``.
  @discardableResult
  public func propose(selection: TextSelection) -> Bool { change(to: selection) }

  // MARK: - Focus

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.textArea, value: lineDescription, detail: caretDetail)
  }

  override public var canBecomeFirstResponder: Bool { true }

  override public func shouldBecomeFirstResponder() -> Bool {
    delegate?.textViewShouldBeginEditing(self) ?? true
  }

  override public func shouldResignFirstResponder() -> Bool {
    delegate?.textViewShouldEndEditing(self) ?? true
  }

  override public func didBecomeFirstResponder() {
    delegate?.textViewDidBeginEditing(self)
  }

  override public func didResignFirstResponder() {
    delegate?.textViewDidEndEditing(self)
  }

  // MARK: - Keys and mouse

  override var getsLeftKeys: Bool { true }

  /// The cell of the caret, if it is visible.
  override public var contextMenuAnchor: Rect {
    guard let caret = caretCell(scroll) else { return super.contextMenuAnchor }
    return Rect(origin: caret, size: Size(width: 1, height: 1))
  }

  override var contextChoices: [ContextChoice] { spellingChoices }

  override var usesReturn: Bool { isEditable }

  override public func perform(_ command: Command) -> Bool {
    if delegate?.textView(self, doCommand: command) == true { return true }
    switch command {
    case .move(let movement) where native?.move(movement, extends: false) == true: return true
    case .extend(let movement) where native?.move(movement, extends: true) == true: return true
    case .insertTab, .insertBacktab: return indentSelectedLines(command) || edit(by: command)
    case .moveLinesUp: return moveSelectedLines(by: -1)
    case .moveLinesDown: return moveSelectedLines(by: 1)
    default: return edit(by: command)
    }
  }

  override public func insert(_ text: String) -> Bool {
    propose(replacing: selection.range, with: text)
    return isEditable
  }

  override func typeWord(_ word: String) -> Bool {
    guard canBeUsed else { return false }
    let revision = state.revision
    // A delegate may refuse the word after it has made its own change.
    return make(state.edit(inserting: word, as: .typing)) || state.revision != revision
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .wheel(.up): scrollRows(by: -Self.wheelRows)
    case .wheel(.down): scrollRows(by: Self.wheelRows)
    case .press(.left) where wasPressed(at: position(at: event.position), event.modifiers):
      return true
    case .press(.right):
      // A native widget knows its own places.
      if native == nil { moveCaret(forMenuAt: position(at: event.position)) }
      return false
    case .wheel, .press, .release, .drag, .move: return select(with: event, clicks: clicks)
    }
    return true
  }

  /// Moves the caret to the place where a context menu opens, unless that is in the selection: the menu is the one
  /// of the misspelled word there. Without a dictionary, the caret stays.
  package func moveCaret(forMenuAt position: TextPosition) {
    if spelling == nil { return }
    let range = selection.range
    if position < range.lowerBound || position > range.upperBound {
      propose(selection: TextSelection(caret: position))
    }
  }

  /// Returns true if the delegate has handled a press of the mouse.
  package func wasPressed(at position: TextPosition, _ modifiers: Modifiers) -> Bool {
    isAvailable && delegate?.textView(self, didPressAt: position, with: modifiers) == true
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
    // The text may have changed since the last layout.
    layoutSubviews()
    return scroll.position(at: point, in: &state)
  }

  func adopt(_ session: TextSession) {
    state.adopt(session.state)
    textWasEdited(nil)
    drag = nil
    scroll = TextScroll()
    scroll.followsCaret = false
    topRevision += 1
    needsDisplay()
  }

  func revealCaret() {
    scroll.followsCaret = true
    needsDisplay()
  }

  // MARK: - Delegate

  func shouldChangeText(in range: Range<TextPosition>, with replacement: String) -> Bool {
    delegate?.textView(self, shouldChangeTextIn: range, with: replacement) ?? true
  }

  func textWasEdited(_ edit: TextEdit?) {
    spelling?.follow(edit)
    if let edit { fences?.follow(edit) } else { fences = makeFences() }
    native?.textWasEdited(edit)
  }

  func didChangeText(_ edit: TextEdit) { delegate?.textView(self, didChangeText: edit) }
  func didChangeSelection() { delegate?.textViewDidChangeSelection(self) }
  func didMake(_ edit: EditProposal) {}
}
