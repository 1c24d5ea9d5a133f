extension ProgressBar: CellDrawn {
  /// Draws the bar.
  public func draw(in painter: inout Painter, theme: Theme) {
    let width = painter.size.width
    painter.fill(painter.bounds, with: "░", style: theme.faint)
    let height = painter.size.height
    guard let fraction else {
      let block = min(max(width / 5, 1), width)
      let rect = Rect(x: start(of: block, in: width), y: 0, width: block, height: height)
      return painter.fill(rect, with: "█", style: theme.progress)
    }
    // A cell is drawn in eighths.
    let part = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let eighths = Int((part * Double(width) * 8).rounded(.down))
    painter.fill(
      Rect(x: 0, y: 0, width: eighths / 8, height: height), with: "█", style: theme.progress)
    let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    if eighths % 8 > 0 {
      let edge = Rect(x: eighths / 8, y: 0, width: 1, height: height)
      painter.fill(edge, with: parts[eighths % 8 - 1], style: theme.progress)
    }
  }
}
