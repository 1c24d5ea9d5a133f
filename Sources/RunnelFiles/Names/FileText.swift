/// The text of a file for an editor, with a conversion back to the original bytes.
///
///     let file = SafeFile("notes/Milk.txt")
///     let old = FileText(try file.contents().bytes)
///     try file.save(old.bytes(for: old.text + "Butter\n"), over: old.bytes)
public struct FileText: Sendable, Hashable {
  /// The contents of the file.
  public let bytes: [UInt8]
  /// True if the file is UTF-8. Otherwise, invalid bytes are replaced in the text and lost by a
  /// save.
  public let isValid: Bool
  /// True if the file has neither a byte order mark nor carriage returns, so that the text has the same bytes.
  public let isPlain: Bool

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Checks the contents of a file.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isPlain = !bytes.contains(Self.carriageReturn) && !bytes.starts(with: Self.mark)
    isValid = (try? UTF8Span(validating: bytes.span)) != nil
  }

  /// The text without a byte order mark, with a line feed at the end of each line.
  ///
  /// Each access builds it, so that a folder of files is not in the memory twice.
  public var text: String {
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    let lines = Self.lines(of: bytes).map(\.content)
    return String(decoding: Array(lines.joined(separator: [Self.lineFeed])), as: UTF8.self)
  }

  /// Returns the first line that is not blank, without whitespace before it, and cut after a number of
  /// scalars. The whole text is not built.
  public func firstLine(upTo length: Int) -> String {
    let body = bytes.starts(with: Self.mark) ? bytes.dropFirst(Self.mark.count) : bytes[...]
    let start = body.drop { $0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0 }
    // A scalar has up to four bytes.
    let scalars = String(decoding: start.prefix(4 * length), as: UTF8.self).unicodeScalars
      .drop { $0.properties.isWhitespace }
    return String(scalars.prefix(length).prefix { !Character($0).isNewline })
  }

  /// Returns the bytes to save after the text was edited. Unchanged lines at the beginning and the
  /// end keep their line endings. All others get the most common line ending.
  public func bytes(for edited: String) -> [UInt8] {
    if isPlain { return Array(edited.utf8) }
    let old = Self.lines(of: bytes)
    let new = Array(edited.utf8).split(separator: Self.lineFeed, omittingEmptySubsequences: false)
    let shorter = min(old.count, new.count)
    let same = (0..<shorter).prefix { old[$0].content == new[$0] }.count
    let sameAtEnd = (0..<shorter - same).prefix {
      old[old.count - 1 - $0].content == new[new.count - 1 - $0]
    }.count
    let commonEnding = old.count { $0.ending.count == 2 } * 2 >= max(old.count, 2) ? "\r\n" : "\n"

    var result = bytes.starts(with: Self.mark) ? Self.mark : []
    for (index, line) in new.enumerated() {
      result += line
      guard index < new.count - 1 else { break }
      let isAtEnd = index >= new.count - sameAtEnd
      let known = index < same ? index : isAtEnd ? index - new.count + old.count : old.count - 1
      result += known < old.count - 1 ? Array(old[known].ending) : Array(commonEnding.utf8)
    }
    return result
  }

  /// Splits bytes at line feeds, and returns each line with its line ending.
  private static func lines(
    of bytes: [UInt8]
  ) -> [(content: ArraySlice<UInt8>, ending: ArraySlice<UInt8>)] {
    let body = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    let lines = body.split(separator: lineFeed, omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      guard index < lines.count - 1 else { return (line, []) }
      let content = line.last == carriageReturn ? line.dropLast() : line
      return (content, bytes[content.endIndex...line.endIndex])
    }
  }
}
