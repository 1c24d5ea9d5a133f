/// The name of a file in a folder, or its path from there if it is in a subfolder.
///
///     let name = FileName(title: "Milk / bread", ending: ".txt")
///     print(name, name.stem)  // Milk - bread.txt Milk - bread
///
/// Two names are equal if their bytes are equal, as for the system. Strings also compare equal if
/// one has a precomposed accent and the other a combining one; these name different files.
public struct FileName: Sendable {
  /// The length of the longest name that Linux allows, in bytes.
  static let maximumLength = 255
  /// The length of the longest extension in bytes, including its dot.
  private static let maximumEndingLength = 16

  /// The whole name.
  public let text: String

  /// Creates a name from a text, without any change.
  public init(_ text: String) {
    self.text = text
  }

  /// Creates a name from the last component of a path.
  public init(ofPath path: String) {
    self.init(PathBytes(path).parts?.name.text ?? path)
  }

  /// Creates a valid file name from a title that the user has chosen. Numbers above 1 are appended
  /// to it. The name leaves room for the suffix of a copy.
  ///
  /// - Parameter others: The endings that are kept if the title has one of them. Case is ignored.
  public init(title: String, number: Int = 1, ending: String, orTyped others: [String] = []) {
    let typed = FileName(title)
    let keepsEnding =
      !typed.isHidden && others.contains { $0.lowercased() == typed.ending.lowercased() }
    let title = keepsEnding ? typed.stem : title
    let ending = keepsEnding ? typed.ending : ending
    let scalars = title.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "/" || scalar.isUnprintable ? "-" : scalar
    }
    let text = String(String.UnicodeScalarView(scalars))
    var stem = String(text.drop { $0 == "." || $0.isWhitespace })
    while stem.utf8.count > 200 { stem.removeLastPart() }
    self.text = (stem.isEmpty ? "Untitled" : stem) + (number > 1 ? " \(number)" : "") + ending
  }

  /// Returns the name of a file with this name in a subfolder. An empty path is the folder itself.
  public func inside(_ folder: String) -> FileName {
    folder.isEmpty ? self : FileName("\(folder)/\(text)")
  }

  // MARK: - Components

  /// The path of the subfolder that contains the file; empty if the file is in the folder itself.
  public var folder: String { String(text.utf8[..<start].dropLast()) ?? "" }

  /// The name without its folder.
  public var lastComponent: FileName { FileName(String(text[start...])) }

  private static let slash = UInt8(ascii: "/")
  private static let point = UInt8(ascii: ".")

  /// The start of the last component.
  private var start: String.Index {
    text.utf8.lastIndex(of: Self.slash).map { text.utf8.index(after: $0) } ?? text.startIndex
  }

  /// The extension, from the last dot on. Empty if there is no dot except the first character.
  public var ending: String { dot.map { String(text[$0...]) } ?? "" }

  /// The part before the extension, with the folder.
  public var stem: String { dot.map { String(text[..<$0]) } ?? text }

  /// True if the name, or that of a subfolder in it, begins with a dot. Such a file is usually not
  /// listed.
  public var isHidden: Bool {
    zip([Self.slash] + text.utf8, text.utf8).contains { $0 == Self.slash && $1 == Self.point }
  }

  private var dot: String.Index? {
    guard let dot = text.lastIndex(of: "."), dot > start,
      text[dot...].utf8.count <= Self.maximumEndingLength
    else { return nil }
    return dot
  }

  // MARK: - Derived names

  /// Returns the name with a prefix, and with an addition before its extension. The stem is
  /// shortened if the result exceeds the limit.
  func adding(
    _ start: String = "", before addition: String, upTo maximumLength: Int = FileName.maximumLength
  ) -> String {
    let folder = text[..<self.start]
    var (stem, ending) = (lastComponent.stem, ending)
    let others = start.utf8.count + addition.utf8.count + ending.utf8.count
    while !stem.isEmpty && others + stem.utf8.count > maximumLength { stem.removeLastPart() }
    return folder + start + stem + addition + ending
  }

  /// Returns the name of a copy that is kept after a conflict: `note (conflict).txt`, `note
  /// (conflict 2).txt` and so on.
  package func copy(_ number: Int) -> FileName {
    FileName(adding(before: number == 1 ? Self.copyMark + ")" : "\(Self.copyMark) \(number))"))
  }

  private static let copyMark = " (conflict"

  /// The name of the file that a conflict copy belongs to: the original of `note (conflict 2).txt` is `note.txt`. It is
  /// nil if this is not the name of a copy.
  public var original: FileName? { copied?.original }

  /// Returns the name that a conflict copy gets when its original is renamed: `tea (conflict 2).txt` for `note
  /// (conflict 2).txt` and `tea.txt`. It is nil if this is not the name of a copy.
  public func copy(afterRenaming original: FileName) -> FileName? {
    copied.map { original.copy($0.number) }
  }

  private var copied: (original: FileName, number: Int)? {
    // Few names end so, and folders have many names.
    let stem = stem
    guard stem.utf8.last == UInt8(ascii: ")"), let mark = stem.ranges(of: Self.copyMark).last else {
      return nil
    }
    let rest = stem[mark.upperBound...].dropLast()
    let digits = rest.dropFirst()
    let number = rest.isEmpty ? 1 : Int(digits) ?? 0
    let isNumber = rest.first == " " && digits.allSatisfy(\.isNumber) && number > 1
    let start = FileName(String(stem[..<mark.lowerBound]))
    guard rest.isEmpty || isNumber, !start.lastComponent.text.isEmpty else { return nil }
    return (FileName(start.text + ending), number)
  }
}

extension FileName: Hashable, Comparable {
  /// Returns true if the names have the same bytes.
  public static func == (one: FileName, other: FileName) -> Bool {
    // Equal bytes imply equal strings, and comparing strings is usually faster.
    one.text == other.text && one.text.utf8.elementsEqual(other.text.utf8)
  }

  /// Orders names by their bytes.
  public static func < (one: FileName, other: FileName) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  /// Hashes the text. Names that are equal as strings may share a hash; they are rare.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

extension FileName: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// Creates a name from a literal, without any change.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// The name for display, with control characters replaced.
  public var description: String { text.printable }
}

extension String {
  /// Removes the last character, or its last scalar if it is the only character.
  fileprivate mutating func removeLastPart() {
    if index(after: startIndex) == endIndex { unicodeScalars.removeLast() } else { removeLast() }
  }
}
