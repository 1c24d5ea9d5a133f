import RunnelDesk
import RunnelText

// Hits of a query in a document. A search continues at the other end of the text.
extension Query {
  /// Creates a query for one phrase, which may contain spaces and quotation marks.
  init(phrase: String) { self.init(texts: [FoldedText(phrase)]) }

  /// Returns the start of the first hit after a position, or at it.
  func hit(
    in document: TextDocument, after position: TextPosition, orAt: Bool = false
  ) -> TextPosition? {
    if isEmpty { return nil }
    for offset in 0...document.lineCount {
      let hits = hits(ofLine: (position.line + offset) % document.lineCount, in: document)
      let hit = hits.first { offset > 0 || $0 > position || orAt && $0 == position }
      if let hit { return hit }
    }
    return nil
  }

  /// Returns the start of the last hit before a position.
  func hit(in document: TextDocument, before position: TextPosition) -> TextPosition? {
    if isEmpty { return nil }
    let count = document.lineCount
    for offset in 0...count {
      let hits = hits(ofLine: (position.line - offset + count) % count, in: document)
      if let hit = hits.last(where: { offset > 0 || $0 < position }) { return hit }
    }
    return nil
  }

  /// Returns the number of a hit and the number of all hits, such as "2 of 5". It is empty for a
  /// long text, which would take too long to count.
  func place(of hit: TextPosition, in document: TextDocument) -> String {
    if document.utf8Count > 1_000_000 { return "" }
    let all = (0..<document.lineCount).flatMap { hits(ofLine: $0, in: document) }
    return "\((all.firstIndex(of: hit) ?? 0) + 1) of \(all.count)"
  }

  private func hits(ofLine number: Int, in document: TextDocument) -> [TextPosition] {
    let line = document[line: number]
    return hits(in: line).map {
      let offset = line.utf8.distance(from: line.startIndex, to: $0.lowerBound)
      return TextPosition(line: number, offset: offset)
    }
  }
}
