import Glibc

/// The bytes of messages that a peer sends without a library.
enum RawMessage {
  /// The bytes with which a client authenticates itself.
  static var authentication: [UInt8] {
    let user = "\(getuid())".utf8.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
    return [0] + Array("AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8)
  }

  /// A header field: its code and the bytes of its variant.
  struct Field {
    let code: UInt8
    let type: Character
    let value: [UInt8]

    static func path(_ text: String) -> Field {
      Field(code: 1, type: "o", value: RawMessage.text(text))
    }
    static func interface(_ text: String) -> Field { named(2, text) }
    static func member(_ text: String) -> Field { named(3, text) }
    static func error(_ text: String) -> Field { named(4, text) }
    static func replySerial(_ number: UInt32) -> Field {
      Field(code: 5, type: "u", value: RawMessage.number(number))
    }
    static func sender(_ text: String) -> Field { named(7, text) }
    static func signature(_ text: String) -> Field {
      Field(code: 8, type: "g", value: [UInt8(text.utf8.count)] + Array(text.utf8) + [0])
    }

    private static func named(_ code: UInt8, _ text: String) -> Field {
      Field(code: code, type: "s", value: RawMessage.text(text))
    }
  }

  /// A message: 1 is a call, 2 a reply, 3 an error, 4 a signal.
  static func message(
    type: UInt8, serial: UInt32 = 1, _ fields: [Field], body: [UInt8] = [], bodySize: UInt32? = nil
  ) -> [UInt8] {
    var header: [UInt8] = []
    for field in fields {
      pad(&header, to: 8)
      header += [field.code, 1, field.type.asciiValue ?? 0, 0] + field.value
    }
    var message: [UInt8] = [UInt8(ascii: "l"), type, type == 1 ? 0 : 1, 1]
    message += number(bodySize ?? UInt32(body.count)) + number(serial)
    message += number(UInt32(header.count)) + header
    pad(&message, to: 8)
    return message + body
  }

  /// A signal `org.example.Raw.Sent` of `/one`.
  static func signal(signature: String, body: [UInt8], _ more: [Field] = []) -> [UInt8] {
    let fields: [Field] = [
      .path("/one"), .interface("org.example.Raw"), .member("Sent"), .signature(signature),
    ]
    return message(type: 4, fields + more, body: body)
  }

  /// A reply with a number, or an error.
  static func reply(to serial: UInt32, _ value: UInt32) -> [UInt8] {
    message(type: 2, [.replySerial(serial), .signature("u")], body: number(value))
  }

  static func error(to serial: UInt32, _ name: String) -> [UInt8] {
    message(type: 3, [.replySerial(serial), .error(name)])
  }

  /// A text in the body of a message.
  static func text(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes + [0] }

  static func text(_ text: String) -> [UInt8] { Self.text(Array(text.utf8)) }

  static func number(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func pad(_ bytes: inout [UInt8], to alignment: Int) {
    while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
  }
}
