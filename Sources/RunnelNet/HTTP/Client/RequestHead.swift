/// The head of a request, as it is sent.
struct RequestHead {
  private(set) var bytes: [UInt8] = []
  // Flags (3): a request of any method may have the fields `Connection` and `Expect`, or one of them.
  /// True for HEAD, whose response has no body.
  let isForHead: Bool
  /// True if the request asks the server to close the connection.
  private(set) var closes = false
  /// True if the body waits for "100 Continue".
  private(set) var expectsContinue = false

  /// The end of a body in chunks.
  static let lastChunk = Array("0\r\n\r\n".utf8)

  /// The target is the path and the query, or a whole URL for a proxy.
  init(
    _ request: HTTPRequest, _ url: HTTPURL, target: String, proxyAuthorization: String?
  ) throws(HTTPClientError) {
    let method = request.method.rawValue
    guard !method.isEmpty, method.utf8.allSatisfy({ $0.isTokenCharacter }) else {
      throw .invalidRequest("\"\(method)\" is no method")
    }
    guard method != "CONNECT" else {
      throw .invalidRequest("CONNECT opens a tunnel, which has no response")
    }
    isForHead = request.method == .head
    bytes.reserveCapacity(256)
    bytes += method.utf8
    bytes.append(UInt8(ascii: " "))
    bytes += target.utf8
    bytes += " HTTP/1.1\r\n".utf8
    let host = request.headers["Host"] ?? url.authority
    guard !host.isEmpty,
      Array(host.utf8).withUnsafeBytes({ $0.isAuthority(0..<$0.count, mayBeEmpty: false) })
    else { throw .invalidRequest("\"\(host)\" is no host") }
    append("Host", host)
    for (name, value) in request.headers {
      switch name.lowercased() {
      // They follow from the body and the URL.
      case "host", "content-length", "transfer-encoding": continue
      case "connection": if value.lowercased().listElements.contains("close") { closes = true }
      case "expect": if value.lowercased() == "100-continue" { expectsContinue = true }
      default: break
      }
      append(name, value)
    }
    if let proxyAuthorization { append("Proxy-Authorization", proxyAuthorization) }
    switch request.body.count {
    case nil: append("Transfer-Encoding", "chunked")
    case 0: if Self.usuallyHasBody(request.method) { append("Content-Length", "0") }
    case let count?: append("Content-Length", "\(count)")
    }
    bytes += "\r\n".utf8
  }

  init(tunnelTo authority: String, proxyAuthorization: String?) {
    isForHead = false
    bytes += "CONNECT \(authority) HTTP/1.1\r\n".utf8
    append("Host", authority)
    if let proxyAuthorization { append("Proxy-Authorization", proxyAuthorization) }
    bytes += "\r\n".utf8
  }

  private mutating func append(_ name: String, _ value: String) {
    bytes += name.utf8
    bytes += ": ".utf8
    bytes += value.utf8
    bytes += "\r\n".utf8
  }

  /// A server may wait for a body of these methods if the request does not say that there is none.
  private static func usuallyHasBody(_ method: HTTPMethod) -> Bool {
    switch method {
    case .post, .put, .patch: true
    default: false
    }
  }

  static func chunk(_ piece: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(piece.count + 20)
    bytes += String(piece.count, radix: 16).utf8
    bytes += "\r\n".utf8
    bytes += piece
    bytes += "\r\n".utf8
    return bytes
  }
}
