/// The temporary name of a file during a save.
///
/// The name begins with a dot, so that observers of the folder ignore it. If the process is killed
/// during the save, the name identifies the leftover.
enum ProvisionalName {
  /// Returns a name for a file that is being written. Such a leftover can be deleted.
  static func unfinished() -> String { "\(prefix)new-\(random())" }

  /// Returns the name for a file that is being written by the only process that may write `name`.
  static func unfinished(of name: String) -> String { "\(prefix)new-\(digest(Array(name.utf8)))" }

  /// Returns a name for a new file before it is exchanged with the old one. After the exchange, the
  /// name refers to the replaced contents. They are kept unless they match `old` or `new`.
  static func exchanging(_ old: [UInt8], for new: [UInt8], of name: String) -> String {
    exchanging([digest(old), digest(new)], of: name)
  }

  /// Returns the same name for contents with known digests.
  static func exchanging(_ digests: [String], of name: String) -> String {
    let start = "\(prefix)old-\(digests.joined(separator: "-"))-\(random())-"
    return FileName(name).adding(start, before: "")
  }

  /// The meaning of a provisional name.
  enum Leftover: Equatable {
    case unfinished
    /// Replaced contents, to be kept as a copy of the file `name` unless they have one of the
    /// digests. The name is empty if it was too long to be included.
    case replaced(digests: [String], name: String)
  }

  static func leftover(_ name: String) -> Leftover? {
    if name.hasPrefix("\(prefix)new-") { return .unfinished }
    guard name.hasPrefix("\(prefix)old-") else { return nil }
    let parts = name.dropFirst(prefix.count + 4).split(
      separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    return .replaced(digests: parts[..<2].map(String.init), name: String(parts[3]))
  }

  private static let prefix = ".runnel-"

  private static func random() -> String { hexadecimal(.random(in: 0...(.max))) }

  /// Returns the number of bytes and their 64-bit FNV-1a hash. The digest detects accidental
  /// differences, and does not protect from malice.
  static func digest(_ bytes: [UInt8]) -> String {
    "\(hexadecimal(UInt64(bytes.count))).\(hexadecimal(Checksum.of(bytes)))"
  }

  /// Returns the number of bytes of the contents of a digest, or nil if it is invalid.
  static func byteCount(in digest: String) -> Int? {
    let parts = digest.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 ? Int(parts[0], radix: 16) : nil
  }

  private static func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }
}

extension FileName {
  /// True if a file has this name only while it is being saved.
  package var isProvisional: Bool { ProvisionalName.leftover(lastComponent.text) != nil }
}
