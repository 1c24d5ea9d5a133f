/// The name of a file while it is being saved, or of what it has replaced until that is looked at.
///
/// It begins with a dot, so that those who watch the folder take no notice. Of a process that was
/// killed meanwhile it tells what it has left behind.
enum ProvisionalName {
  /// A file that is being written: nothing is lost with it.
  static func unfinished() -> String { "\(prefix)new-\(random())" }

  /// A file with new contents, which changes places with the one with old contents; so it is what
  /// comes to have this name that is not to be lost, if it is neither.
  static func exchanging(_ old: [UInt8], for new: [UInt8], of name: String) -> String {
    exchanging([digest(old), digest(new)], of: name)
  }

  /// The same for what is known by its digests.
  static func exchanging(_ digests: [String], of name: String) -> String {
    let start = "\(prefix)old-\(digests.joined(separator: "-"))-\(random())-"
    return FileName(name).adding(start, before: "")
  }

  /// What a name tells.
  enum Leftover: Equatable {
    case unfinished
    /// Worth keeping unless it has one of these digests, as a copy of the file of this name. The name is
    /// empty where there was no room for it.
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

  /// The number of bytes, and FNV-1a of 64 bits. It tells apart what was written by accident, and is no
  /// protection from malice.
  static func digest(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\(hexadecimal(UInt64(bytes.count))).\(hexadecimal(hash))"
  }

  /// The number of bytes that a digest is of; nil if it does not say so.
  static func byteCount(in digest: String) -> Int? {
    let parts = digest.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 ? Int(parts[0], radix: 16) : nil
  }

  private static func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }
}

extension FileName {
  /// Whether a file has this name only while it is being saved.
  package var isProvisional: Bool { ProvisionalName.leftover(text) != nil }
}
