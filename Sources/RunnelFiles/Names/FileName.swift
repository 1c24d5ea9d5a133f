/// The name of a file in a folder.
///
///     let name = FileName(title: "Milk / bread", ending: ".txt")
///     print(name, name.stem)  // Milk - bread.txt Milk - bread
///
/// Two names are one where their bytes are the same, as the system sees it. Strings are equal also
/// where an accent is part of the letter in one of them, and follows it in the other one: such names
/// are of two files.
public struct FileName: Sendable {
  /// The longest one that Linux knows, in bytes.
  static let longest = 255
  /// An ending that is longer is none.
  private static let longestEnding = 16

  /// All of it.
  public let text: String

  /// A name as it is.
  public init(_ text: String) {
    self.text = text
  }

  /// The name that a path ends with.
  public init(ofPath path: String) {
    self.init(PathBytes(path).parts?.name.text ?? path)
  }

  /// A name that a file can have, for a title that somebody has chosen, with a number behind that if
  /// it is not the first one. There is room in it for what a copy is called.
  public init(title: String, number: Int = 1, ending: String) {
    let scalars = title.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "/" || scalar.isUnprintable ? "-" : scalar
    }
    let text = String(String.UnicodeScalarView(scalars))
    var stem = String(text.drop { $0 == "." || $0.isWhitespace })
    while stem.utf8.count > 200 { stem.removeLastPart() }
    self.text = (stem.isEmpty ? "Untitled" : stem) + (number > 1 ? " \(number)" : "") + ending
  }

  // MARK: - Its parts

  /// What it ends with, from the last dot on; empty if it has no dot, or none but the first character.
  public var ending: String { dot.map { String(text[$0...]) } ?? "" }

  /// What stands before the ending.
  public var stem: String { dot.map { String(text[..<$0]) } ?? text }

  /// Whether files of such names are not shown to people.
  public var isHidden: Bool { text.utf8.first == UInt8(ascii: ".") }

  private var dot: String.Index? {
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex,
      text[dot...].utf8.count <= Self.longestEnding
    else { return nil }
    return dot
  }

  // MARK: - Other names

  /// The name with something in front and something before its ending; if that is too long, the
  /// stem gives way.
  func adding(
    _ start: String = "", before addition: String, upTo longest: Int = FileName.longest
  ) -> String {
    var (stem, ending) = (stem, ending)
    let others = start.utf8.count + addition.utf8.count + ending.utf8.count
    while !stem.isEmpty && others + stem.utf8.count > longest { stem.removeLastPart() }
    return start + stem + addition + ending
  }

  /// `note (conflict).txt`, `note (conflict 2).txt` and so on: what a copy is called that is kept when
  /// there are two of one name.
  package func copy(_ number: Int) -> FileName {
    FileName(adding(before: number == 1 ? " (conflict)" : " (conflict \(number))"))
  }
}

extension FileName: Hashable, Comparable {
  /// Whether they have the same bytes.
  public static func == (one: FileName, other: FileName) -> Bool {
    // Strings with the same bytes are equal, which mostly is seen sooner.
    one.text == other.text && one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Whether the bytes of one come before those of the other one.
  public static func < (one: FileName, other: FileName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  /// Names that are equal as strings are rare: they may have one hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension FileName: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// A name as it is.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// The name as people see it: what could not be shown is replaced.
  public var description: String { text.printable }
}

extension String {
  /// Removes the last character; of a text that is one long character, the last scalar of that.
  fileprivate mutating func removeLastPart() {
    if index(after: startIndex) == endIndex { unicodeScalars.removeLast() } else { removeLast() }
  }
}
