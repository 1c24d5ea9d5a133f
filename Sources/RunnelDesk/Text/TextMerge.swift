import RunnelCollections

/// Two versions of a text, and the lines that are taken at each difference between them.
///
///     var merge = TextMerge(mine: "milk\nbread\neggs", theirs: "milk\ntea\neggs")
///     merge.differences[0].choice = .mine
///     print(merge.text)  // milk, bread and eggs, each in a line
///
/// Until the user chooses, the lines of both versions are taken, so that none is lost.
public struct TextMerge: Sendable {
  /// The lines that are taken at a difference.
  public enum Choice: CaseIterable, Hashable, Sendable {
    /// The lines of the first version.
    case mine
    /// The lines of the second version.
    case theirs
    /// The lines of the first version, followed by the lines of the second.
    case both
  }

  /// Consecutive lines that differ. One of the ranges may be empty.
  public struct Difference: Hashable, Sendable {
    /// The lines of the first version, by index.
    public let mine: Range<Int>
    /// The lines of the second version, by index.
    public let theirs: Range<Int>
    /// The lines that are taken.
    public var choice = Choice.both
  }

  /// The first version.
  public let mine: TextDocument
  /// The second version.
  public let theirs: TextDocument
  /// The differences, in the order of the lines.
  public var differences: [Difference]

  /// Compares two versions of a text by lines.
  ///
  /// *Complexity*: linear where most of the lines stay in order, O(*n* log *n*) at worst.
  public init(mine: String, theirs: String) {
    (self.mine, self.theirs) = (TextDocument(mine), TextDocument(theirs))
    let lines = [self.mine, self.theirs].map { text in
      (0..<text.lineCount).map { LineBytes(line: text[line: $0]) }
    }
    differences = LineHunk.hunks(from: lines[0], to: lines[1], empty: LineBytes(line: ""))
      .map { Difference(mine: $0.old, theirs: $0.new) }
  }

  /// The text with the lines that are taken.
  public var text: String {
    var lines: [String] = []
    var next = 0
    for difference in differences {
      lines += (next..<difference.mine.lowerBound).map { mine[line: $0] }
      // An empty version adds no line to the other one.
      let isBoth = difference.choice == .both
      if isBoth ? mine != TextDocument() : difference.choice == .mine {
        lines += difference.mine.map { mine[line: $0] }
      }
      if isBoth ? theirs != TextDocument() : difference.choice == .theirs {
        lines += difference.theirs.map { theirs[line: $0] }
      }
      next = difference.mine.upperBound
    }
    lines += (next..<mine.lineCount).map { mine[line: $0] }
    return lines.joined(separator: "\n")
  }
}
