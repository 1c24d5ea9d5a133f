/// A line of a settings file, such as `sort = title`.
///
///     let lines = SettingLine.lines(of: Array("sort = title\npinned = Milk.txt\n".utf8))
///     for line in lines { print(line.key, line.value) }
///     print(lines.last?.file ?? "none")  // Milk.txt
///
/// A program that writes the lines back that it does not know can share the file with other versions. Empty
/// lines are not kept.
public struct SettingLine: Hashable, Sendable {
  private static let lineFeed = UInt8(ascii: "\n")
  private static let separator = Array(" = ".utf8)
  /// Replaces line feeds in file names: these bytes are not part of a name from a listed folder.
  private static let escapedLineFeed = Array("/./".utf8)

  private let bytes: [UInt8]
  private let keyEnd, valueStart: Int

  private init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    let end = self.bytes.indices.first { [bytes = self.bytes] in
      bytes[$0...].starts(with: Self.separator)
    }
    keyEnd = end ?? self.bytes.count
    valueStart = end.map { $0 + Self.separator.count } ?? self.bytes.count
  }

  /// Creates a line with a text. Line feeds in it become spaces.
  public init(_ key: String, _ value: String) {
    let line = Array("\(key) = \(value)".utf8)
    self.init(line.map { $0 == Self.lineFeed ? UInt8(ascii: " ") : $0 })
  }

  /// Creates a line with the name of a file, which may contain line feeds.
  public init(_ key: String, _ file: FileName) {
    let name = Array(file.text.utf8).replacing([Self.lineFeed], with: Self.escapedLineFeed)
    self.init(Array("\(key) = ".utf8) + name)
  }

  /// The part before the first ` = `, or the whole line.
  public var key: String { String(decoding: bytes[..<keyEnd], as: UTF8.self) }

  /// The part after the first ` = `; empty if there is none.
  public var value: String { String(decoding: bytes[valueStart...], as: UTF8.self) }

  /// The name of the file that the value contains; nil if the value is empty.
  public var file: FileName? {
    let name = bytes[valueStart...].replacing(Self.escapedLineFeed, with: [Self.lineFeed])
    return name.isEmpty ? nil : FileName(String(decoding: name, as: UTF8.self))
  }

  /// Returns the lines of a file. It is split as bytes: in a string, a line feed could combine with its
  /// neighbours.
  public static func lines(of bytes: [UInt8]) -> [SettingLine] {
    bytes.split(separator: lineFeed).map { SettingLine($0) }
  }

  /// Returns the contents of a file with some lines.
  public static func bytes(of lines: [SettingLine]) -> [UInt8] {
    lines.flatMap { $0.bytes + [lineFeed] }
  }
}
