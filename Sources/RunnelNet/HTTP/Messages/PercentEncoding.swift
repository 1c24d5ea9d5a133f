extension Collection where Element == UInt8 {
  /// The bytes that percent-encoding stands for; nil if a percent sign is not followed by two
  /// hexadecimal digits.
  package var percentDecoded: [UInt8]? {
    guard contains(UInt8(ascii: "%")) else { return Array(self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(count)
    var iterator = makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = iterator.next()?.hexadecimalValue,
        let low = iterator.next()?.hexadecimalValue
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return decoded
  }
}

extension [UInt8] {
  /// The bytes that percent-encoding stands for. A percent sign that is not followed by two
  /// hexadecimal digits is kept.
  var percentDecodedLeniently: [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(count)
    var index = 0
    while index < count {
      if self[index] == UInt8(ascii: "%"), index + 2 < count,
        let high = self[index + 1].hexadecimalValue, let low = self[index + 2].hexadecimalValue
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(self[index])
        index += 1
      }
    }
    return decoded
  }
}

extension StringProtocol {
  /// The text in percent-encoding, as a part of a path or a query. Letters and digits of ASCII and
  /// `-._~` stand for themselves.
  ///
  ///     client.get("http://example.org/topics/\("grüße".percentEncoded)")
  ///       .observe(succeeded: { show($0.status) }, failed: { show($0) })
  public var percentEncoded: String {
    var encoded: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded.append(UInt8(ascii: "%"))
        encoded += String(byte >> 4, radix: 16, uppercase: true).utf8
        encoded += String(byte & 15, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The text that percent-encoding stands for; nil if it is invalid.
  package var percentDecoded: String? {
    utf8.percentDecoded.flatMap { String(validating: $0, as: UTF8.self) }
  }
}
