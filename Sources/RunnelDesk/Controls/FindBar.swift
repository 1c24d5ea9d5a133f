import RunnelProxies
import RunnelStreams
import RunnelText

/// A bar that finds text in a ``TextView`` and replaces it. The hits are marked in the text.
///
///     let editor = TextView("milk and bread")
///     let bar = FindBar(for: editor)
///     window.content = StackView(.vertical, [editor, bar])
///     let find = MenuItem("Find…", key: "ctrl+f")
///     find.rx.activate.observeNext { bar.open() }
///
/// The bar is hidden until it is opened. Return and Down select the next hit in the text, Shift+Return and Up
/// the previous one, and Esc closes the bar. In the field for the replacement, Return replaces the hit
/// at the caret and moves to the next one. After a replacement, Ctrl+Z and Ctrl+Y in the bar undo and redo it, until
/// the text in a field changes.
@MainActor
public final class FindBar: View {
  /// A way to a hit.
  public enum Step: Hashable, Sendable {
    /// The hit at the caret, or else the next one.
    case here
    /// The first hit after the caret. After the last one, the search continues at the first.
    case next
    /// The last hit before the caret. Before the first one, the search continues at the last.
    case previous
  }

  /// A closure that returns the hits in a line, in order. `sought` is the text in the field. For the marks in the
  /// text it is empty while the bar is hidden. By default, case and accents are ignored.
  ///
  ///     let bar = FindBar(for: editor)
  ///     bar.hits = { sought, line in sought.isEmpty ? [] : line.ranges(of: sought) }
  public var hits: (_ sought: String, _ line: String) -> [Range<String.Index>] = { sought, line in
    if sought.isEmpty { return [] }
    return FoldedText.characters(FoldedText(line).ranges(of: FoldedText(sought)), of: line)
  }
  {
    // The old closure is released after the assignment, because what it captures may read this property.
    didSet { withExtendedLifetime(oldValue) { editor.needsDisplay() } }
  }

  /// The text to find. It is kept while the bar is hidden, so that ``go(_:)`` finds it again.
  public var sought: String { field.text }

  /// The result of the last search, such as "2 of 5" or "no hit". The number is absent if the text is
  /// too long to count the hits at each key.
  public var place: String { result.text }

  /// The field with the text to find.
  public let field = TextField(placeholder: "Text to find")
  /// The field with the text that replaces a hit.
  public let replacement = TextField(placeholder: "Text instead of it")

  private let editor: TextView
  private let result = Label()
  private let content: StackView
  private let replacing: StackView
  private let replacementLabel = Label()
  private let replaceAllButton = Button("")
  /// The buttons for the mouse. The keyboard has keys for them, so Tab reaches them last.
  private let steps = StackView(.horizontal, spacing: 0)
  private let label = Label("Find")
  /// True after a replacement, until the text in a field changes.
  private var undoesReplacement = false
  private let bag = DisposeBag()

  /// The length of a text in bytes above which hits are not counted.
  private static let longestCounted = 1_000_000
  /// The width from which labels name the whole action.
  private static let wideWidth = 58
  /// The width from which there is room for the label, and for the buttons of the mouse.
  private static let labelWidth = 36
  private static let buttonsWidth = 26

  /// Creates a hidden bar for a text view. It replaces an earlier bar of the view, whose hits are no
  /// longer marked.
  public init(for editor: TextView) {
    let replaceOne = Button("Replace")
    replacing = StackView(
      .horizontal, spacing: .related, [replacementLabel, replacement, replaceOne, replaceAllButton])
    content = StackView(
      .vertical, spacing: .related, padding: .edge,
      [
        StackView(.horizontal, spacing: .related, [label, field, result, steps]), replacing,
      ])
    self.editor = editor
    super.init()
    addSubview(content)
    isHidden = true
    field.accessibilityLabel = "Find"
    replacement.accessibilityLabel = "Replace with"
    replaceAllButton.accessibilityLabel = "Replace all"
    editor.findBar = self
    field.rx.didChange.observeNext(weak: self) { bar, _ in bar.textChanged() }.disposed(by: bag)
    for (field, step) in [(field, Step.next), (replacement, nil)] {
      field.rx.submit.observeNext(weak: self) { bar, _ in
        if let step { bar.go(step) } else { bar.replace() }
      }.disposed(by: bag)
      field.rDelegate.answer(\.textField_doCommand) { [weak self] field, command in
        self?.follow(command, in: field) ?? false
      }.disposed(by: bag)
      field.rx.didChange.observeNext(weak: self) { bar, _ in bar.undoesReplacement = false }
        .disposed(by: bag)
    }
    addStep("↑", "Previous hit") { $0.go(.previous) }
    addStep("↓", "Next hit") { $0.go(.next) }
    addStep("✕", "Close") { $0.close() }
    nameControls(isWide: false)
    replaceOne.rx.tap.observeNext(weak: self) { bar, _ in bar.replace() }.disposed(by: bag)
    replaceAllButton.rx.tap.observeNext(weak: self) { bar, _ in bar.replaceAll() }
      .disposed(by: bag)
  }

  private func addStep(_ title: String, _ label: String, _ act: @escaping (FindBar) -> Bool) {
    let button = Button(title)
    button.accessibilityLabel = label
    button.toolTip = label
    button.rx.tap.observeNext(weak: self) { bar, _ in _ = act(bar) }.disposed(by: bag)
    steps.addSubview(button)
  }

  /// Shows the bar, selects the text in its field, and moves to a hit. A part of a line that is selected in the
  /// text is the text to find, unless the bar has the focus. `replacing` also shows the field for the replacement,
  /// unless the text cannot be edited.
  public func open(replacing: Bool = false) {
    if window?.firstResponder.map(contains) != true { takeSelection() }
    isHidden = false
    self.replacing.isHidden = !replacing || !editor.isEditable
    window?.makeFirstResponder(field)
    field.selectAll()
    textChanged()
  }

  private func takeSelection() {
    let range = editor.selection.range
    guard !range.isEmpty, range.lowerBound.line == range.upperBound.line else { return }
    field.text = editor.document[range]
    undoesReplacement = false
    // The selected hit is the first one.
    editor.propose(selection: TextSelection(caret: range.lowerBound))
  }

  /// Hides the bar, and returns the focus from it to the text. Returns false if it was hidden.
  @discardableResult
  public func close() -> Bool {
    if isHidden { return false }
    if window?.firstResponder.map(contains) == true { window?.makeFirstResponder(editor) }
    isHidden = true
    editor.needsDisplay()
    return true
  }

  /// Selects a hit, with the caret at its start. Returns false if there is none.
  @discardableResult
  public func go(_ step: Step) -> Bool {
    let (document, caret) = (editor.document, editor.selection.head)
    let found =
      step == .previous
      ? document.match(before: caret, in: hits(in:))
      : document.match(after: caret, orAt: step == .here, in: hits(in:))
    if let found {
      let hit = ranges(ofLine: found.line, in: document).first { $0.lowerBound == found }
      editor.propose(selection: TextSelection(anchor: hit?.upperBound ?? found, head: found))
    }
    result.text = found.map { number(of: $0, in: document) } ?? "no hit"
    return found != nil
  }

  /// Replaces the hit at the caret, and moves to the next one. Without a hit at the caret, it only moves.
  /// Returns false if nothing was replaced, for example because no text is sought.
  @discardableResult
  public func replace() -> Bool {
    if isHidden || sought.isEmpty { return false }
    let caret = editor.selection.head
    let hit = ranges(ofLine: caret.line, in: editor.document).first { $0.lowerBound == caret }
    guard let hit, !hit.isEmpty else {
      go(.next)
      return false
    }
    guard editor.propose(replacing: hit, with: replacement.text) else { return false }
    undoesReplacement = true
    // The search continues after the replacement, so a hit inside it is not replaced.
    go(.here)
    return true
  }

  /// Replaces all hits of the text that is sought, and returns their number. It is one edit, which the
  /// user can undo.
  @discardableResult
  public func replaceAll() -> Int {
    if isHidden || sought.isEmpty { return 0 }
    let document = editor.document
    var (count, start, end, text) = (0, nil as TextPosition?, TextPosition.start, "")
    for hit in (0..<document.lineCount).lazy.flatMap({ self.ranges(ofLine: $0, in: document) }) {
      // Hits may overlap.
      if hit.isEmpty || hit.lowerBound < end { continue }
      if start == nil { start = hit.lowerBound } else { text += document[end..<hit.lowerBound] }
      text += replacement.text
      end = hit.upperBound
      count += 1
    }
    let isReplaced = start.map { editor.propose(replacing: $0..<end, with: text) } ?? false
    if isReplaced { undoesReplacement = true }
    result.text = start == nil ? "no hit" : "\(isReplaced ? count : 0) replaced"
    return isReplaced ? count : 0
  }

  // MARK: - Marks

  /// Marks all hits of a line, and the one at the caret in another colour.
  func marks(_ number: Int, _ line: String) -> [TextHighlight] {
    let (document, caret) = (editor.document, editor.selection.head)
    let current = window?.application?.theme.highlight.background(.brightCyan)
    return hits(isHidden ? "" : sought, line).map { hit in
      let isCurrent = caret == document.position(of: hit.lowerBound, inLine: number)
      return TextHighlight(hit, style: isCurrent ? current : nil)
    }
  }

  private func hits(in line: String) -> [Range<String.Index>] { hits(sought, line) }

  private func ranges(ofLine number: Int, in document: TextDocument) -> [Range<TextPosition>] {
    hits(in: document[line: number]).map {
      document.position(
        of: $0.lowerBound, inLine: number)..<document.position(of: $0.upperBound, inLine: number)
    }
  }

  /// Returns the number of a hit and the number of all hits; empty for a long text.
  private func number(of hit: TextPosition, in document: TextDocument) -> String {
    if document.utf8Count > Self.longestCounted { return "" }
    let all = document.matches(in: hits(in:))
    return "\((all.firstIndex(of: hit) ?? 0) + 1) of \(all.count)"
  }

  // MARK: - Input

  private func textChanged() {
    if sought.isEmpty { result.text = "" } else { go(.here) }
    editor.needsDisplay()
  }

  private func follow(_ command: Command, in field: TextField) -> Bool {
    switch command {
    case .move(.down): go(.next)
    case .move(.up): go(.previous)
    case .insertNewline where field === self.field && window?.isShiftPressed == true: go(.previous)
    case .insertTab where field === self.field && !replacing.isHidden: focus(replacement)
    case .insertBacktab where field === replacement: focus(self.field)
    case .undo, .redo: return undo(command)
    default: return false
    }
    return true
  }

  private func focus(_ field: TextField) {
    window?.makeFirstResponder(field)
    field.selectAll()
  }

  /// Undoes or redoes a replacement in the text. Returns false if there was none.
  private func undo(_ command: Command) -> Bool {
    if undoesReplacement && (command == .undo ? editor.canUndo : editor.canRedo) {
      _ = editor.perform(command)
      textChanged()
    }
    return undoesReplacement
  }

  override public func perform(_ command: Command) -> Bool {
    switch command {
    case .cancel: close()
    // A button has the focus.
    case .undo, .redo: undo(command)
    default: false
    }
  }

  // MARK: - Layout

  override public func wantedExtent(in room: Size) -> Extent { content.extent(in: room) }

  override public func layoutSubviews() {
    nameControls(isWide: bounds.width >= Self.wideWidth)
    let isNarrow = bounds.width < Self.buttonsWidth
    if steps.isHidden != isNarrow { steps.isHidden = isNarrow }
    let hidesLabel = bounds.width < Self.labelWidth
    if label.isHidden != hidesLabel { label.isHidden = hidesLabel }
    super.layoutSubviews()
  }

  /// Names the controls of the replacement as far as there is room.
  private func nameControls(isWide: Bool) {
    replacementLabel.text = isWide ? "Replace with" : "With"
    replaceAllButton.title = isWide ? "Replace all" : "All"
  }
}
