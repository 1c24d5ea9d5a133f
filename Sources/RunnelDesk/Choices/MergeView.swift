import RunnelCollections
import RunnelStreams

/// A view that shows the differences between two versions of a text side by side, and lets the user take
/// one or both at each difference. At first, both are taken.
///
///     let view = MergeView(TextMerge(mine: "milk\nbread", theirs: "milk\ntea"), titles: "Mine", "Theirs")
///     let alert = Alert("Merge", buttons: [.cancel("Cancel"), .default("Merge")])
///     alert.accessory = view
///     alert.ask(in: application).observe(succeeded: { button in
///       if button?.role == .default { print(view.merge.text) }
///     })
///
/// The arrow keys Up and Down move to another difference. Left takes the lines at the left, Right those at
/// the right, and B both; a double click or Return takes the next of these. There is a button for each.
@MainActor
public final class MergeView: View {
  /// The versions and the choices of the user.
  public private(set) var merge: TextMerge

  private let table: TableView
  private let content: StackView
  private let rows = CollectionProperty<[Row]>([])
  /// The number of columns for each version, to which the lines of differences are wrapped.
  private var lineWidth = 0
  /// The pair of lines that was shown last.
  private var shownPair: (id: PairID, pair: Pair)?
  private let bag = DisposeBag()

  /// The lines of a difference at an offset, which are side by side.
  fileprivate struct PairID: Hashable, Sendable {
    let difference: Int
    let offset: Int
  }

  private typealias Pair = (mine: MergeLine?, theirs: MergeLine?)

  fileprivate enum Row: Hashable, Sendable {
    /// A line that is the same in both versions, by its index in the first one.
    case equal(Int)
    /// Equal lines that are left out.
    case omitted(Int)
    /// A row of two lines, which may be wrapped.
    case pair(PairID, row: Int)
  }

  /// The number of equal lines that are shown before and after a difference.
  private static let contextCount = 2

  /// Creates a view with the versions of a merge and their titles.
  public init(_ merge: TextMerge, titles mine: String, _ theirs: String) {
    self.merge = merge
    table = TableView(columns: [
      TableColumn("mine", title: mine), TableColumn("choice", width: .fixed(1)),
      TableColumn("theirs", title: theirs),
    ])
    let buttons = TextMerge.Choice.allCases.map { (choice: $0, button: Button($0.title)) }
    content = StackView(
      .vertical, [table, StackView(.horizontal, spacing: 1, buttons.map(\.button))])
    super.init()
    addSubview(content)
    table.accessibilityLabel = "Differences"
    table.placeholder = "Both texts are the same."
    table.allowsTypeSelect = false
    table.rx.rows(rows) { [weak self] cells, row in self?.fill(&cells, row) }
    for (choice, button) in buttons {
      button.rx.tap.observeNext(weak: self) { view, _ in view.choose { _ in choice } }
        .disposed(by: bag)
    }
    answerTable()
  }

  private func answerTable() {
    // Arrow keys skip the rows that are not the first of a difference.
    table.rDelegate.answer(\.tableView_shouldSelectRow) { [rows] _, row in
      rows.value[row].difference != nil
    }.disposed(by: bag)
    table.rDelegate.answer(\.tableView_doCommand) { [weak self] _, command in
      switch command {
      case .move(.left): self?.choose { _ in .mine } ?? false
      case .move(.right): self?.choose { _ in .theirs } ?? false
      default: false
      }
    }.disposed(by: bag)
    table.rDelegate.answer(\.tableView_insert) { [weak self] _, text in
      text.lowercased() == "b" && self?.choose { _ in .both } == true
    }.disposed(by: bag)
    table.rx.activated.observeNext(weak: self) { view, _ in view.choose(\.next) }.disposed(by: bag)
  }

  /// Changes the choice at the selected difference. Returns false if there is none.
  @discardableResult
  private func choose(_ change: (TextMerge.Choice) -> TextMerge.Choice) -> Bool {
    guard let row = table.selectedRow, let index = rows.value[row].difference else { return false }
    merge.differences[index].choice = change(merge.differences[index].choice)
    table.reloadRows(0..<rows.value.count)
    return true
  }

  // MARK: - Rows

  /// Returns the rows for a number of columns, or at least the first ones up to a limit.
  private func makeRows(width: Int, upTo limit: Int = .max) -> [Row] {
    var rows: [Row] = []
    var next = 0
    for (index, difference) in merge.differences.enumerated() {
      rows += Self.context(next..<difference.mine.lowerBound, after: index > 0, before: true)
      for offset in 0..<max(difference.mine.count, difference.theirs.count) {
        if rows.count >= limit { return rows }
        let id = PairID(difference: index, offset: offset)
        let (mine, theirs) = texts(of: id)
        let counts = [mine, theirs].compactMap(\.self).map {
          MergeLine.rows(of: $0, width: width).count
        }
        rows += (0..<(counts.max() ?? 0)).map { .pair(id, row: $0) }
      }
      next = difference.mine.upperBound
    }
    if rows.isEmpty { return [] }
    return rows + Self.context(next..<merge.mine.lineCount, after: true, before: false)
  }

  /// Wraps the lines of differences to a number of columns.
  private func wrap(to width: Int) {
    if width == lineWidth { return }
    lineWidth = width
    shownPair = nil
    rows.replace(with: makeRows(width: width), performDiff: false)
    if table.selectedRow == nil {
      table.selectedRow = rows.value.firstIndex { $0.difference != nil }
    }
  }

  /// The choices, the gaps, and the bar of a list that scrolls need four columns.
  private static func lineWidth(in width: Int) -> Int { max((width - 4) / 2, 8) }

  /// Returns the rows of equal lines, without those in the middle.
  private static func context(_ lines: Range<Int>, after: Bool, before: Bool) -> [Row] {
    let start = lines.prefix(after ? contextCount : 0)
    let end = lines[start.endIndex...].suffix(before ? contextCount : 0)
    let omitted = lines.count - start.count - end.count
    // A row that says that one line is left out would take its place.
    if omitted == 1 { return lines.map { .equal($0) } }
    return start.map { .equal($0) } + (omitted > 0 ? [.omitted(omitted)] : [])
      + end.map { .equal($0) }
  }

  private func fill(_ cells: inout TableRow, _ row: Row) {
    switch row {
    case .omitted(let count):
      cells["mine"] = TableCell("⋯ \(count) equal lines", style: .faint)
    case .equal(let line):
      let cell = TableCell(merge.mine[line: line], style: .faint)
      (cells["mine"], cells["theirs"]) = (cell, cell)
    case .pair(let id, let number):
      let choice = merge.differences[id.difference].choice
      let (mine, theirs) = pair(id)
      cells["mine"] = mine?.cell(number, isTaken: choice != .theirs) ?? TableCell("")
      cells["theirs"] = theirs?.cell(number, isTaken: choice != .mine) ?? TableCell("")
      if row.difference != nil { cells["choice"].text = choice.mark }
    }
  }

  private func pair(_ id: PairID) -> Pair {
    if let shownPair, shownPair.id == id { return shownPair.pair }
    let (mine, theirs) = texts(of: id)
    let pair = (
      mine: mine.map { MergeLine($0, from: theirs, width: lineWidth) },
      theirs: theirs.map { MergeLine($0, from: mine, width: lineWidth) }
    )
    shownPair = (id, pair)
    return pair
  }

  private func texts(of id: PairID) -> (mine: String?, theirs: String?) {
    let difference = merge.differences[id.difference]
    let mine = difference.mine.dropFirst(id.offset).first.map { merge.mine[line: $0] }
    let theirs = difference.theirs.dropFirst(id.offset).first.map { merge.theirs[line: $0] }
    guard let mine, let theirs else { return (mine, theirs) }
    return Self.shortened(mine, theirs)
  }

  /// The number of equal characters before a difference that are shown.
  private static let shownStart = 16

  /// Returns two versions of a line without most of a long equal start, so that the difference is in view.
  private static func shortened(_ mine: String, _ theirs: String) -> (String, String) {
    let equal = zip(mine, theirs).prefix { $0 == $1 }.count
    if equal <= 2 * shownStart { return (mine, theirs) }
    return (
      "…" + mine.dropFirst(equal - shownStart), "…" + theirs.dropFirst(equal - shownStart)
    )
  }

  // MARK: - Layout

  override public func layoutSubviews() {
    wrap(to: Self.lineWidth(in: bounds.width))
    super.layoutSubviews()
  }

  /// The header of the table and the buttons need a line each. Below the view, an alert has an empty line
  /// and its buttons.
  override public func wantedExtent(in room: Size) -> Extent {
    let count = makeRows(width: Self.lineWidth(in: room.width), upTo: room.height).count
    return Extent(width: room.width, height: max(min(count + 2, room.height - 2), 4))
  }
}

extension MergeView.Row: Identifiable {
  fileprivate var id: Self { self }

  /// The index of the difference that begins in the row.
  fileprivate var difference: Int? {
    if case .pair(let id, row: 0) = self, id.offset == 0 { id.difference } else { nil }
  }
}

/// A line of a difference, and the words that the other version lacks.
private struct MergeLine {
  private let text: String
  /// The bytes of the rows.
  private let rows: [Range<Int>]
  /// The bytes of the words, and of the gaps between words, that differ.
  private let changes: [Range<Int>]

  /// The length in bytes above which a line is truncated, and marked as a whole: comparing its words would delay
  /// each key.
  private static let longestCompared = 3_000

  init(_ text: String, from other: String?, width: Int) {
    self.text = text
    rows = Self.rows(of: text, width: width)
    changes = other.map { Self.changes(of: text, from: $0) } ?? []
  }

  static func rows(of text: String, width: Int) -> [Range<Int>] {
    let count = text.utf8.count
    guard width < count, count <= longestCompared else { return [0..<count] }
    var rows = LineRows()
    rows.find(offset: count, of: text, width: width)
    return zip(rows.starts, rows.starts.dropFirst() + [count]).map { $0..<$1 }
  }

  private static func changes(of text: String, from other: String) -> [Range<Int>] {
    let (old, new) = (Array(other.utf8), Array(text.utf8))
    if max(old.count, new.count) > longestCompared { return [0..<new.count] }
    let words = WordParts(of: text).map(\.bytes)
    let difference = words.map { new[$0] }
      .difference(from: WordParts(of: other).map { old[$0.bytes] })
    return difference.insertions.compactMap {
      if case .insert(let index, _, _) = $0 { words[index] } else { nil }
    }
  }

  /// Returns the cell of a row, with the words marked that the other version lacks; nil if the line has fewer rows.
  func cell(_ number: Int, isTaken: Bool) -> TableCell? {
    guard rows.indices.contains(number) else { return nil }
    let bytes = rows[number]
    var row = text.utf8.dropFirst(bytes.lowerBound).prefix(bytes.count)
    // Spaces at the end may not fit.
    while number + 1 < rows.count && row.last == UInt8(ascii: " ") { row.removeLast() }
    let shown = String(row) ?? ""
    var cell = TableCell(shown, style: isTaken ? .text : .faint)
    cell.highlights = changes.compactMap { change in
      let part = change.clamped(to: bytes.lowerBound..<bytes.lowerBound + row.count)
      if part.isEmpty { return nil }
      let start = shown.utf8.index(shown.startIndex, offsetBy: part.lowerBound - bytes.lowerBound)
      return start..<shown.utf8.index(start, offsetBy: part.count)
    }
    return cell
  }
}

extension TextMerge.Choice {
  fileprivate var mark: String {
    switch self {
    case .mine: "←"
    case .theirs: "→"
    case .both: "↔"
    }
  }

  fileprivate var title: String {
    switch self {
    case .mine: "← Left"
    case .theirs: "→ Right"
    case .both: "↔ Both"
    }
  }

  fileprivate var next: Self {
    switch self {
    case .mine: .theirs
    case .theirs: .both
    case .both: .mine
    }
  }
}
