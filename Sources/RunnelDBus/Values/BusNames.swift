/// A path of an object, such as `/org/freedesktop/Notifications`.
public struct ObjectPath: Hashable, Sendable {
  /// The path as text.
  public let text: String

  /// Creates a path. Returns nil if the text violates the rules of D-Bus: a path begins with `/`, and
  /// its parts consist of ASCII letters, digits and `_`.
  public init?(_ text: String) {
    guard NameRules.isPath(text) else { return nil }
    self.text = text
  }

  /// Creates a path from a text that is known to be valid.
  init(trusting text: String) {
    self.text = text
  }

  /// The path `/`.
  public static let root = ObjectPath(trusting: "/")

  /// Returns true if the path is below another one, or equal to it.
  public func isBelow(_ other: ObjectPath) -> Bool {
    other == .root || text == other.text || text.hasPrefix(other.text + "/")
  }
}

extension ObjectPath: ExpressibleByStringLiteral {
  /// Creates a path from a literal. An invalid path traps.
  public init(stringLiteral text: String) {
    guard let path = ObjectPath(text) else {
      preconditionFailure(
        "\"\(text)\" is no object path. Write for example \"/org/example/Object\".")
    }
    self = path
  }
}

extension ObjectPath: CustomStringConvertible, Comparable {
  /// The text.
  public var description: String { text }

  /// Compares the texts.
  public static func < (left: ObjectPath, right: ObjectPath) -> Bool { left.text < right.text }
}

/// The types of zero or more values, such as `a{sv}`.
public struct Signature: Hashable, Sendable {
  /// The signature as text.
  public let text: String

  /// Creates a signature. Returns nil if the text is not one.
  public init?(_ text: String) {
    guard BusType.types(of: text) != nil else { return nil }
    self.text = text
  }

  /// Creates a signature from a text that is known to be valid.
  init(trusting text: String) {
    self.text = text
  }

  /// Creates the signature of some types.
  public init(_ types: [BusType]) {
    text = types.map(\.signature).joined()
  }

  /// The types of the signature.
  public var types: [BusType] { BusType.types(of: text) ?? [] }
}

extension Signature: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

/// The rules of D-Bus for names.
enum NameRules {
  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_")
      || (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func isPath(_ text: String) -> Bool {
    if text == "/" { return true }
    var previous: UInt8?
    for byte in text.utf8 {
      let isSlash = byte == UInt8(ascii: "/")
      let isAllowed =
        isSlash ? previous != byte : previous != nil && (isLetter(byte) || isDigit(byte))
      guard isAllowed else { return false }
      previous = byte
    }
    return previous != nil && previous != UInt8(ascii: "/")
  }

  /// Returns true for the name of a method, a signal or a property.
  static func isMember(_ text: String) -> Bool {
    withBytes(of: text) { bytes in
      guard let first = bytes.first, bytes.count <= 255 else { return false }
      return isLetter(first) && bytes.allSatisfy { isLetter($0) || isDigit($0) }
    }
  }

  /// Returns true for the name of an interface or of an error.
  static func isInterface(_ text: String) -> Bool {
    withBytes(of: text) {
      $0.count <= 255 && hasParts($0[...], beginningWithDigits: false, hyphens: false)
    }
  }

  /// Returns true for a well-known or a unique name of a service.
  static func isService(_ text: String) -> Bool {
    withBytes(of: text) { bytes in
      let isUnique = bytes.first == UInt8(ascii: ":")
      return bytes.count <= 255
        && hasParts(bytes.dropFirst(isUnique ? 1 : 0), beginningWithDigits: isUnique, hyphens: true)
    }
  }

  /// Returns true for two or more parts with dots between.
  private static func hasParts(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, beginningWithDigits: Bool, hyphens: Bool
  ) -> Bool {
    var count = 1
    var isAtStart = true
    for byte in text {
      if byte == UInt8(ascii: ".") {
        if isAtStart { return false }
        isAtStart = true
        count += 1
        continue
      }
      let isAllowed =
        isLetter(byte) || isDigit(byte) && (!isAtStart || beginningWithDigits)
        || hyphens && byte == UInt8(ascii: "-")
      guard isAllowed else { return false }
      isAtStart = false
    }
    return count >= 2 && !isAtStart
  }

  /// Calls the closure with the bytes of a text, without a copy: each call and each signal is checked.
  private static func withBytes(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    var text = text
    return text.withUTF8(body)
  }
}
