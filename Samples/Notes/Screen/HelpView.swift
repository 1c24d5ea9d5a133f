import RunnelDesk

/// The list of keys. It scrolls where the screen is too small for it.
final class HelpView: View {
  private let text: TextView
  private let wanted: Extent

  init(_ help: String) {
    text = TextView(help)
    text.isEditable = false
    text.wrapsLines = false
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    // One more column for a caret at the end of a line.
    wanted = Extent(width: (lines.map(\.count).max() ?? 0) + 1, height: lines.count)
    super.init()
    addSubview(text)
  }

  override func layoutSubviews() {
    let wraps = bounds.width < wanted.width ?? 0
    if text.wrapsLines != wraps { text.wrapsLines = wraps }
    super.layoutSubviews()
  }

  override func wantedExtent(in room: Size) -> Extent { wanted }
}
