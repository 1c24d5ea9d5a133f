import RunnelLoop

/// The names that `/etc/hosts` gives to addresses. They are found at once, without a thread.
enum HostsFile {
  /// A longer file is read by a look-up on another thread.
  private static let longest = 1 << 14

  /// The addresses of a name; none if the file does not have the name.
  static func addresses(of name: String, in path: String = "/etc/hosts") -> [IPAddress] {
    guard comesFirst, let text = text(of: path) else { return [] }
    return addresses(of: name, inText: text)
  }

  /// Finds a name in the text of such a file.
  static func addresses(of name: String, inText text: [UInt8]) -> [IPAddress] {
    var addresses: [IPAddress] = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.prefix { $0 != UInt8(ascii: "#") }
        .split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
      guard words.dropFirst().contains(where: { isEqual($0, name) }), let first = words.first,
        let address = IPAddress(String(decoding: first, as: UTF8.self)),
        !addresses.contains(address)
      else { continue }
      addresses.append(address)
    }
    return addresses
  }

  /// Compares names without regard to the case of ASCII letters.
  private static func isEqual(_ word: ArraySlice<UInt8>, _ name: String) -> Bool {
    func lowercased(_ byte: UInt8) -> UInt8 {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    return word.lazy.map(lowercased).elementsEqual(name.utf8.lazy.map(lowercased))
  }

  /// True if the system asks this file before it asks others.
  private static let comesFirst: Bool = {
    text(of: "/etc/nsswitch.conf").map { filesComeFirst(inText: $0) } ?? false
  }()

  /// True if the line `hosts:` of a configuration of services begins with the file, and an answer of the
  /// file is final.
  static func filesComeFirst(inText text: [UInt8]) -> Bool {
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard words.first == "hosts:" else { continue }
      let hasAction = words.dropFirst(2).first?.hasPrefix("[") ?? false
      return words.dropFirst().first == "files" && !hasAction
    }
    return false
  }

  /// The bytes of a short file; nil if it cannot be read or is too long.
  private static func text(of path: String) -> [UInt8]? {
    contentsOfShortFile(path, below: longest)
  }
}
