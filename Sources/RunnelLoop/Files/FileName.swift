/// The name of a file, in its two parts.
struct FileName {
  /// The longest one that Linux knows, in bytes.
  static let longest = 255
  /// An ending that is longer is none.
  private static let longestEnding = 16

  let stem: String
  /// What it ends with, from the dot on; empty if it has no dot, or none but the first character.
  let ending: String

  init(_ name: String) {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let hasEnding = dot > name.startIndex && name[dot...].utf8.count <= Self.longestEnding
    stem = hasEnding ? String(name[..<dot]) : name
    ending = hasEnding ? String(name[dot...]) : ""
  }

  /// The name with something in front and something before its ending; if that is too long, the
  /// stem gives way.
  func adding(
    _ start: String = "", before addition: String, upTo longest: Int = FileName.longest
  ) -> String {
    var stem = stem[...]
    let others = start.utf8.count + addition.utf8.count + ending.utf8.count
    while !stem.isEmpty && others + stem.utf8.count > longest { stem.removeLast() }
    return start + stem + addition + ending
  }

  /// `note (conflict).txt`, `note (conflict 2).txt` and so on.
  func conflict(_ number: Int) -> String {
    adding(before: number == 1 ? " (conflict)" : " (conflict \(number))")
  }
}
