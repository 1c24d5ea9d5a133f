/// Writes the heads of responses.
enum ResponseHead {
  /// Appends the status line.
  static func begin(_ status: HTTPStatus, into bytes: inout [UInt8]) {
    if status.code == 200 {
      bytes.append(contentsOf: ok)
      return
    }
    bytes += "HTTP/1.1 \(status.code) \(status.reason)\r\n".utf8
  }

  private static let ok = Array("HTTP/1.1 200 OK\r\n".utf8)

  /// The server's own fields replace the same fields of the response.
  static func write(
    _ response: HTTPResponse, count: Int?, isChunked: Bool, isForHead: Bool, isVersion10: Bool,
    closes: inout Bool, _ server: HTTPServer, into bytes: inout [UInt8]
  ) {
    begin(response.status, into: &bytes)
    var hasDate = false
    var hasLength = false
    response.headers.text.withUnsafeBytes { text in
      for field in response.headers.fields {
        switch field.nameCount {
        case 4 where text.equals(field.name, "date"): hasDate = true
        case 10 where text.equals(field.name, "connection"):
          if text.equals(field.value, "close") { closes = true }
          guard text.equals(field.value, "upgrade") else { continue }
        case 14 where text.equals(field.name, "content-length"):
          // The response to a HEAD may give the length of a body that it does not have.
          guard isForHead, response.body.isEmpty else { continue }
          hasLength = true
        case 17 where text.equals(field.name, "transfer-encoding"): continue
        default: break
        }
        bytes.append(contentsOf: text[field.name])
        bytes.append(contentsOf: colon)
        bytes.append(contentsOf: text[field.value])
        bytes.append(contentsOf: lineEnd)
      }
    }
    if !hasDate { server.appendDate(to: &bytes) }
    if isChunked {
      bytes.append(contentsOf: chunked)
    } else if let count, !hasLength, !response.status.hasNoBody {
      bytes.append(contentsOf: length)
      append(decimal: count, to: &bytes)
      bytes.append(contentsOf: lineEnd)
    }
    if closes {
      bytes.append(contentsOf: close)
    } else if isVersion10 {
      bytes.append(contentsOf: keepAlive)
    }
    bytes.append(contentsOf: lineEnd)
  }

  private static let colon = Array(": ".utf8)
  private static let lineEnd = Array("\r\n".utf8)
  private static let chunked = Array("Transfer-Encoding: chunked\r\n".utf8)
  private static let length = Array("Content-Length: ".utf8)
  private static let close = Array("Connection: close\r\n".utf8)
  private static let keepAlive = Array("Connection: keep-alive\r\n".utf8)

  static func append(decimal number: Int, to bytes: inout [UInt8]) {
    if number >= 10 { append(decimal: number / 10, to: &bytes) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  static func append(hexadecimal number: Int, to bytes: inout [UInt8]) {
    if number >= 16 { append(hexadecimal: number / 16, to: &bytes) }
    let digit = UInt8(number % 16)
    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }
}
