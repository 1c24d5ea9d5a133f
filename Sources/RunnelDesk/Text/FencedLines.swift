/// The lines of a document that belong to blocks of code between fences, such as ```` ``` ````.
///
/// It is made once for a document, and then follows its edits.
struct FencedLines {
  /// The numbers of the lines that begin or end a block, in order.
  private var fences: [Int]

  /// *Complexity*: linear in the number of lines.
  init(in document: TextDocument) {
    fences = document.lineNumbers(where: Self.isFence)
  }

  /// Follows an edit, after which the text is `document`.
  ///
  /// *Complexity*: linear in the number of edited lines and of blocks.
  mutating func follow(_ edit: TextEdit, in document: TextDocument) {
    let (old, new) = (edit.range, edit.newRange)
    let added = new.upperBound.line - old.upperBound.line
    let first = index(ofFirstAtOrAfter: old.lowerBound.line)
    let end = index(ofFirstAtOrAfter: old.upperBound.line + 1)
    let edited = (new.lowerBound.line...new.upperBound.line)
      .filter { Self.isFence(document[line: $0]) }
    if first == end && edited.isEmpty && added == 0 { return }
    fences = fences[..<first] + edited + fences[end...].map { $0 + added }
  }

  /// Returns true if a line is in a block of code, or is its first or last line.
  func contains(_ line: Int) -> Bool {
    let place = index(ofFirstAtOrAfter: line)
    return !place.isMultiple(of: 2) || fences.indices.contains(place) && fences[place] == line
  }

  private func index(ofFirstAtOrAfter line: Int) -> Int {
    var (low, high) = (0, fences.count)
    while low < high {
      let middle = (low + high) / 2
      if fences[middle] < line { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func isFence(_ line: String) -> Bool {
    var utf8 = Substring(line).utf8
    // A block in a list item is indented.
    while let byte = utf8.first, byte == UInt8(ascii: " ") { utf8.removeFirst() }
    guard let first = utf8.first, first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else {
      return false
    }
    return utf8.prefix(3).count == 3 && utf8.prefix(3).allSatisfy { $0 == first }
  }
}
