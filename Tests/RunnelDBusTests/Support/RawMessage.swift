import Glibc

/// The bytes of messages that a peer sends without a library.
enum RawMessage {
  /// The bytes with which a client authenticates itself.
  static var authentication: [UInt8] { authentication(passingDescriptors: false) }

  static func authentication(passingDescriptors: Bool) -> [UInt8] {
    let user = "\(getuid())".utf8.map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
    let wish = passingDescriptors ? "NEGOTIATE_UNIX_FD\r\n" : ""
    return [0] + Array("AUTH EXTERNAL \(user)\r\n\(wish)BEGIN\r\n".utf8)
  }

  /// A header field.
  struct Field {
    enum Value {
      case number(UInt32)
      case text(String)
      case path(String)
      case signature(String)
    }

    let code: UInt8
    let value: Value

    static func path(_ text: String) -> Field { Field(code: 1, value: .path(text)) }
    static func interface(_ text: String) -> Field { Field(code: 2, value: .text(text)) }
    static func member(_ text: String) -> Field { Field(code: 3, value: .text(text)) }
    static func error(_ text: String) -> Field { Field(code: 4, value: .text(text)) }
    static func replySerial(_ number: UInt32) -> Field { Field(code: 5, value: .number(number)) }
    static func descriptorCount(_ number: UInt32) -> Field {
      Field(code: 9, value: .number(number))
    }
    static func sender(_ text: String) -> Field { Field(code: 7, value: .text(text)) }
    static func signature(_ text: String) -> Field { Field(code: 8, value: .signature(text)) }

    fileprivate func write(to header: inout RawBody) {
      header.align(to: 8)
      header.number(code)
      switch value {
      case .number(let number):
        header.signature("u")
        header.number(number)
      case .text(let text):
        header.signature("s")
        header.text(text)
      case .path(let text):
        header.signature("o")
        header.text(text)
      case .signature(let text):
        header.signature("g")
        header.signature(text)
      }
    }
  }

  /// A message: 1 is a call, 2 a reply, 3 an error, 4 a signal.
  static func message(
    type: UInt8, serial: UInt32 = 1, _ fields: [Field], body: [UInt8] = [], bodySize: UInt32? = nil,
    order: RawBody.ByteOrder = .little
  ) -> [UInt8] {
    var message = RawBody(order)
    message.number(UInt8(ascii: order == .little ? "l" : "B"))
    for byte in [type, type == 1 ? 0 : 1, 1] { message.number(byte) }
    message.number(bodySize ?? UInt32(body.count))
    message.number(serial)
    message.array(alignment: 8) { header in for field in fields { field.write(to: &header) } }
    message.align(to: 8)
    return message.bytes + body
  }

  /// A signal `org.example.Raw.Sent` of `/one`.
  static func signal(
    signature: String, body: [UInt8], _ more: [Field] = [], order: RawBody.ByteOrder = .little
  ) -> [UInt8] {
    let fields: [Field] = [
      .path("/one"), .interface("org.example.Raw"), .member("Sent"), .signature(signature),
    ]
    return message(type: 4, fields + more, body: body, order: order)
  }

  /// A reply with a number, or an error.
  static func reply(to serial: UInt32, _ value: UInt32) -> [UInt8] {
    message(type: 2, [.replySerial(serial), .signature("u")], body: number(value))
  }

  static func error(to serial: UInt32, _ name: String, own: UInt32 = 1) -> [UInt8] {
    message(type: 3, serial: own, [.replySerial(serial), .error(name)])
  }

  /// A text in the body of a message.
  static func text(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes + [0] }

  static func text(_ text: String) -> [UInt8] { Self.text(Array(text.utf8)) }

  static func number(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
