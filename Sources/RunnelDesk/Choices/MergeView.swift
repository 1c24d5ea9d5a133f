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
  private let rows: [Row]
  private let bag = DisposeBag()

  fileprivate enum Row: Hashable, Sendable {
    /// A line that is the same in both versions, by its index in the first one.
    case equal(Int)
    /// Equal lines that are left out.
    case omitted(Int)
    /// The lines of a difference at an offset.
    case difference(Int, offset: Int)
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
    rows = Self.rows(of: merge)
    let buttons = TextMerge.Choice.allCases.map { (choice: $0, button: Button($0.title)) }
    content = StackView(
      .vertical, [table, StackView(.horizontal, spacing: 1, buttons.map(\.button))])
    super.init()
    addSubview(content)
    table.accessibilityLabel = "Differences"
    table.placeholder = "Both texts are the same."
    table.allowsTypeSelect = false
    table.rx.rows(CollectionProperty(rows)) { [weak self] cells, row in self?.fill(&cells, row) }
    for (choice, button) in buttons {
      button.rx.tap.observeNext(weak: self) { view, _ in view.choose { _ in choice } }
        .disposed(by: bag)
    }
    answerTable()
    table.selectedRow = rows.firstIndex { $0.difference != nil }
  }

  private func answerTable() {
    // Arrow keys skip the rows that are not the first of a difference.
    table.rDelegate.answer(\.tableView_shouldSelectRow) { [rows] _, row in
      rows[row].difference != nil
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
    guard let row = table.selectedRow, let index = rows[row].difference else { return false }
    merge.differences[index].choice = change(merge.differences[index].choice)
    table.reloadRows(0..<rows.count)
    return true
  }

  // MARK: - Rows

  private static func rows(of merge: TextMerge) -> [Row] {
    var rows: [Row] = []
    var next = 0
    for (index, difference) in merge.differences.enumerated() {
      rows += context(next..<difference.mine.lowerBound, after: index > 0, before: true)
      let count = max(difference.mine.count, difference.theirs.count)
      rows += (0..<count).map { .difference(index, offset: $0) }
      next = difference.mine.upperBound
    }
    if rows.isEmpty { return [] }
    return rows + context(next..<merge.mine.lineCount, after: true, before: false)
  }

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
    case .difference(let index, let offset):
      let difference = merge.differences[index]
      let choice = difference.choice
      var mine = difference.mine.dropFirst(offset).first.map { merge.mine[line: $0] }
      var theirs = difference.theirs.dropFirst(offset).first.map { merge.theirs[line: $0] }
      if let (one, other) = mine.flatMap({ one in theirs.map { (one, $0) } }) {
        (mine, theirs) = Self.shortened(one, other)
      }
      cells["mine"] = Self.cell(mine, from: theirs, isTaken: choice != .theirs)
      cells["theirs"] = Self.cell(theirs, from: mine, isTaken: choice != .mine)
      if offset == 0 { cells["choice"].text = choice.mark }
    }
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

  /// Returns the cell of a line, with a mark on the part that is not in the other version of the line.
  private static func cell(_ line: String?, from other: String?, isTaken: Bool) -> TableCell {
    guard let line else { return TableCell("") }
    var cell = TableCell(line, style: isTaken ? .text : .faint)
    let edits = other.map { TextDocument($0).edits(to: TextDocument(line)) } ?? []
    cell.highlights = edits.filter { !$0.new.isEmpty }.map {
      let start = line.utf8.index(line.startIndex, offsetBy: $0.range.lowerBound.offset)
      return start..<line.utf8.index(start, offsetBy: $0.new.utf8.count)
    }
    return cell
  }

  // MARK: - Layout

  /// The header of the table and the buttons need a line each. Below the view, an alert has an empty line
  /// and its buttons.
  override public func wantedExtent(in room: Size) -> Extent {
    Extent(width: room.width, height: max(min(rows.count + 2, room.height - 2), 4))
  }
}

extension MergeView.Row {
  /// The index of the difference that begins in the row.
  fileprivate var difference: Int? {
    if case .difference(let index, offset: 0) = self { index } else { nil }
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
