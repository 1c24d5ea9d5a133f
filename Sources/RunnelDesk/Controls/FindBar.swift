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
/// The bar is hidden until it is opened. Return and Down move the caret to the next hit, Up moves it to
/// the previous one, and Esc closes the bar. In the field for the replacement, Return replaces the hit at
/// the caret and moves to the next one.
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

  /// A closure that returns the hits in a line, in order. `sought` is the text in the field, and empty
  /// while the bar is hidden. By default, case and accents are ignored.
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

  /// The text to find; empty while the bar is hidden.
  public var sought: String { isHidden ? "" : field.text }

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
  private let bag = DisposeBag()

  /// The length of a text in bytes above which hits are not counted.
  private static let longestCounted = 1_000_000

  /// Creates a hidden bar for a text view. It replaces an earlier bar of the view, whose hits are no
  /// longer marked.
  public init(for editor: TextView) {
    let replaceOne = Button("Replace")
    let replaceAll = Button("All")
    replacing = StackView(
      .horizontal, spacing: .related, [Label("With"), replacement, replaceOne, replaceAll])
    content = StackView(
      .vertical, spacing: .related, padding: .edge,
      [StackView(.horizontal, spacing: .related, [Label("Find"), field, result]), replacing])
    self.editor = editor
    super.init()
    addSubview(content)
    isHidden = true
    field.accessibilityLabel = "Find"
    replacement.accessibilityLabel = "Replace with"
    replaceAll.accessibilityLabel = "Replace all"
    editor.findBar = self
    field.rx.didChange.observeNext(weak: self) { bar, _ in bar.textChanged() }.disposed(by: bag)
    for (field, step) in [(field, Step.next), (replacement, nil)] {
      field.rx.submit.observeNext(weak: self) { bar, _ in
        if let step { bar.go(step) } else { bar.replace() }
      }.disposed(by: bag)
      field.rDelegate.answer(\.textField_doCommand) { [weak self] _, command in
        self?.follow(command) ?? false
      }.disposed(by: bag)
    }
    replaceOne.rx.tap.observeNext(weak: self) { bar, _ in bar.replace() }.disposed(by: bag)
    replaceAll.rx.tap.observeNext(weak: self) { bar, _ in bar.replaceAll() }.disposed(by: bag)
  }

  /// Shows the bar, selects the text in its field, and moves to a hit. `replacing` also shows the field for
  /// the replacement, unless the text cannot be edited.
  public func open(replacing: Bool = false) {
    isHidden = false
    self.replacing.isHidden = !replacing || !editor.isEditable
    window?.makeFirstResponder(field)
    field.selection = TextSelection(field.document.bounds)
    textChanged()
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

  /// Moves the caret to a hit. Returns false if there is none.
  @discardableResult
  public func go(_ step: Step) -> Bool {
    let (document, caret) = (editor.document, editor.selection.head)
    let found =
      step == .previous
      ? document.match(before: caret, in: hits(in:))
      : document.match(after: caret, orAt: step == .here, in: hits(in:))
    if let found { editor.propose(selection: TextSelection(caret: found)) }
    result.text = found.map { number(of: $0, in: document) } ?? "no hit"
    return found != nil
  }

  /// Replaces the hit at the caret, and moves to the next one. Without a hit at the caret, it only moves.
  /// Returns false if nothing was replaced, for example because no text is sought.
  @discardableResult
  public func replace() -> Bool {
    if sought.isEmpty { return false }
    let caret = editor.selection.head
    let hit = ranges(ofLine: caret.line, in: editor.document).first { $0.lowerBound == caret }
    guard let hit, !hit.isEmpty else {
      go(.next)
      return false
    }
    guard editor.propose(replacing: hit, with: replacement.text) else { return false }
    // The search continues after the replacement, so a hit inside it is not replaced.
    go(.here)
    return true
  }

  /// Replaces all hits of the text that is sought, and returns their number. It is one edit, which the
  /// user can undo.
  @discardableResult
  public func replaceAll() -> Int {
    if sought.isEmpty { return 0 }
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
    result.text = start == nil ? "no hit" : "\(isReplaced ? count : 0) replaced"
    return isReplaced ? count : 0
  }

  // MARK: - Marks

  /// Marks all hits of a line, and the one at the caret in another colour.
  func marks(_ number: Int, _ line: String) -> [TextHighlight] {
    let (document, caret) = (editor.document, editor.selection.head)
    let current = window?.application?.theme.highlight.background(.brightCyan)
    return hits(in: line).map { hit in
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

  private func follow(_ command: Command) -> Bool {
    switch command {
    case .move(.down): go(.next)
    case .move(.up): go(.previous)
    default: return false
    }
    return true
  }

  override public func perform(_ command: Command) -> Bool { command == .cancel && close() }

  // MARK: - Layout

  override public func wantedExtent(in room: Size) -> Extent { content.extent(in: room) }
}
