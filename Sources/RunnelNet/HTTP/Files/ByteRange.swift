/// The part of a file that a request asks for.
enum ByteRange: Equatable {
  case whole
  case part(Range<Int>)
  /// No range begins inside of the file.
  case unsatisfiable

  /// The most ranges that are looked at.
  private static let limit = 16

  /// Parses the value of `Range` for a file of a size, by RFC 9110, section 14.
  ///
  /// An invalid value and another unit mean the whole file. Several ranges that overlap or touch
  /// each other are one; for others the whole file is sent, which is always allowed.
  init(_ text: String, size: Int) {
    self = .whole
    guard let equals = text.firstIndex(of: "="), text[..<equals].lowercased() == "bytes" else {
      return
    }
    let specifications = String(text[text.index(after: equals)...]).listElements
    guard !specifications.isEmpty, specifications.count <= Self.limit else { return }
    var ranges: [Range<Int>] = []
    var isEmptyFile = false
    for specification in specifications {
      guard let (first, last) = Self.parse(specification) else { return }
      switch (first, last) {
      case (let first?, let last):
        if let last, last < first { return }
        guard first < size else { continue }
        ranges.append(first..<min(last ?? .max - 1, size - 1) + 1)
      case (nil, let count?):
        if count == 0 { continue }
        if size == 0 { isEmptyFile = true } else { ranges.append(max(0, size - count)..<size) }
      case (nil, nil): return
      }
    }
    // The end of an empty file is satisfiable, but has no range.
    if isEmptyFile { return }
    ranges.sort { $0.lowerBound < $1.lowerBound }
    guard var merged = ranges.first else {
      self = .unsatisfiable
      return
    }
    for range in ranges.dropFirst() {
      guard range.lowerBound <= merged.upperBound else { return }
      merged = merged.lowerBound..<max(merged.upperBound, range.upperBound)
    }
    self = .part(merged)
  }

  /// Parses `1-2`, `1-` or `-2`.
  private static func parse(_ text: String) -> (first: Int?, last: Int?)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !(parts[0].isEmpty && parts[1].isEmpty) else { return nil }
    var numbers: [Int?] = []
    for part in parts {
      guard part.utf8.allSatisfy({ $0.isDigit }) else { return nil }
      // A number that is too large is beyond the end of any file.
      numbers.append(part.isEmpty ? nil : Int(part) ?? .max)
    }
    return (numbers[0], numbers[1])
  }
}
