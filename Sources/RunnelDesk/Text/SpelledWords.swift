/// The words of a line of Markdown that a dictionary can know.
///
/// Left out are code, addresses of pages and of mail, paths, targets of links, `[[links]]`, tags such as
/// `#work`, words with digits or underscores, and words in capital letters.
enum SpelledWords {
  /// Returns the ranges of the words.
  static func ranges(in line: String) -> [Range<String.Index>] {
    let scalars = line.unicodeScalars
    var words: [Range<String.Index>] = []
    var index = scalars.startIndex
    var before: Unicode.Scalar?
    while index < scalars.endIndex {
      let scalar = scalars[index]
      if let end = end(ofSkipped: scalar, at: index, after: before, in: line) {
        index = end
        before = " "
        continue
      }
      let end = scalar.isPartOfWord ? self.end(ofWordAt: index, in: scalars) : nil
      if let end, before != "#", isChecked(scalars[index..<end]) { words.append(index..<end) }
      index = end ?? scalars.index(after: index)
      before = scalar
    }
    return words
  }

  /// Returns the end of a part that is left out; nil if none begins with a scalar.
  private static func end(
    ofSkipped scalar: Unicode.Scalar, at index: String.Index, after before: Unicode.Scalar?,
    in line: String
  ) -> String.Index? {
    let rest = line.unicodeScalars[index...]
    switch scalar {
    case "`":
      let ticks = rest.prefix { $0 == "`" }
      return Substring(rest.dropFirst(ticks.count)).firstRange(of: String(ticks))?.upperBound
    case "[" where before == "[": return Substring(rest).firstRange(of: "]]")?.upperBound
    case "(" where before == "]": return Substring(rest).firstRange(of: ")")?.upperBound
    case "<": return Substring(rest).firstRange(of: ">")?.upperBound
    default: break
    }
    guard before?.properties.isWhitespace != false || "([\"'".unicodeScalars.contains(before ?? " ")
    else { return nil }
    let chunk = rest.prefix { !$0.properties.isWhitespace }
    let isAddress =
      chunk.contains("@") || scalar == "/" || scalar == "~"
      || chunk.starts(with: "www.".unicodeScalars)
      || Substring(chunk).firstRange(of: "://") != nil
    return isAddress ? chunk.endIndex : nil
  }

  /// Returns the end of a word, which may contain apostrophes between letters.
  private static func end(
    ofWordAt start: String.Index, in scalars: String.UnicodeScalarView
  ) -> String.Index {
    var end = start
    while end < scalars.endIndex {
      if !scalars[end].isPartOfWord {
        let next = scalars.index(after: end)
        guard scalars[end] == "'" || scalars[end] == "’", next < scalars.endIndex,
          scalars[next].properties.isAlphabetic
        else { break }
      }
      end = scalars.index(after: end)
    }
    return end
  }

  private static func isChecked(_ word: Substring.UnicodeScalarView) -> Bool {
    var hasCapital = false
    var hasOther = false
    for scalar in word {
      if scalar == "_" || scalar.properties.numericType != nil || scalar.properties.isIdeographic {
        return false
      }
      if scalar.properties.isUppercase {
        hasCapital = true
      } else if scalar.properties.isAlphabetic {
        hasOther = true
      }
    }
    return hasOther || !hasCapital
  }
}

extension Unicode.Scalar {
  fileprivate var isPartOfWord: Bool {
    if isASCII {
      return self == "_" || ("0"..."9").contains(self) || ("a"..."z").contains(self)
        || ("A"..."Z").contains(self)
    }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return properties.isAlphabetic
    }
  }
}
