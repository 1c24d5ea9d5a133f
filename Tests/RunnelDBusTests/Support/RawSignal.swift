import Glibc

/// The bytes of messages that a peer sends without a library.
enum RawSignal {
  /// The bytes with which a client authenticates itself.
  static var authentication: [UInt8] {
    let user = "\(getuid())".utf8.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
    return [0] + Array("AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8)
  }

  /// A signal `org.example.Raw.Sent` of `/one`.
  static func message(signature: String, body: [UInt8]) -> [UInt8] {
    var fields: [UInt8] = []
    func field(_ code: UInt8, _ type: Character, _ text: String) {
      pad(&fields, to: 8)
      fields += [code, 1, type.asciiValue ?? 0, 0]
      if type == "g" {
        fields.append(UInt8(text.utf8.count))
      } else {
        fields += number(UInt32(text.utf8.count))
      }
      fields += Array(text.utf8) + [0]
    }
    field(1, "o", "/one")
    field(2, "s", "org.example.Raw")
    field(3, "s", "Sent")
    field(8, "g", signature)
    var message: [UInt8] = [UInt8(ascii: "l"), 4, 1, 1]
    message += number(UInt32(body.count)) + number(1) + number(UInt32(fields.count)) + fields
    pad(&message, to: 8)
    return message + body
  }

  /// A text in the body of a message.
  static func text(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes + [0] }

  static func number(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func pad(_ bytes: inout [UInt8], to alignment: Int) {
    while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
  }
}
