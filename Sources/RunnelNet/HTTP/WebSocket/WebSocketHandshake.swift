import RunnelStreams

/// The handshake of RFC 6455, section 4.
package enum WebSocketHandshake {
  struct Agreement {
    var subprotocol: String?
    var codec: (any WebSocketCodec)?
  }

  /// Returns the value of `Sec-WebSocket-Accept` for a key.
  package static func answer(to key: String) -> String {
    Base64.encode(SHA1.hash((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
  }

  // MARK: - Server

  /// Checks the request of a client. Returns the response, and what both ends agree on.
  static func accept(
    _ request: HTTPRequest, _ options: WebSocketOptions
  ) throws(HTTPError) -> (HTTPResponse, Agreement) {
    let headers = request.headers
    guard request.method == .get, headers.hasElement("websocket", in: "Upgrade"),
      headers.hasElement("upgrade", in: "Connection")
    else {
      throw HTTPError(
        .upgradeRequired, "This is a WebSocket.",
        headers: ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"])
    }
    guard !request.reception.isVersion10 else {
      throw HTTPError(.badRequest, "A WebSocket needs HTTP/1.1.")
    }
    // The bytes of a body could be taken for frames.
    guard request.body.isEmpty else {
      throw HTTPError(.badRequest, "The handshake of a WebSocket has no body.")
    }
    guard headers.values(of: "Sec-WebSocket-Version") == ["13"] else {
      throw HTTPError(
        .upgradeRequired, "The version of the WebSocket protocol is 13.",
        headers: ["Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"])
    }
    let keys = headers.values(of: "Sec-WebSocket-Key")
    guard let key = keys.first, keys.count == 1, Base64.decode(key)?.count == 16 else {
      throw HTTPError(.badRequest, "Sec-WebSocket-Key is not the base64 of 16 bytes.")
    }
    guard options.origins.accept(request) else {
      throw HTTPError(.forbidden, "This origin may not open the WebSocket.")
    }
    var response = HTTPResponse(
      101,
      headers: [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": answer(to: key),
      ])
    var agreement = Agreement()
    let offered = headers.elements(of: "Sec-WebSocket-Protocol")
    if let chosen = offered.first(where: { options.subprotocols.contains($0) }) {
      agreement.subprotocol = chosen
      response.headers.append("Sec-WebSocket-Protocol", chosen)
    }
    if let compression = options.compression {
      var offers: [WebSocketExtensionValue] = []
      for element in headers.elements(of: "Sec-WebSocket-Extensions") {
        guard let offer = WebSocketExtensionValue(element) else {
          throw HTTPError(.badRequest, "Sec-WebSocket-Extensions is invalid.")
        }
        offers.append(offer)
      }
      if let (answer, codec) = compression.accept(offers) {
        agreement.codec = codec
        response.headers.append("Sec-WebSocket-Extensions", answer)
      }
    }
    return (response, agreement)
  }

  // MARK: - Client

  /// Returns a random key.
  static func makeKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.encode((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// The header fields of the request of a client.
  static func fields(
    key: String, _ headers: HTTPHeaders, _ options: WebSocketOptions
  ) -> HTTPHeaders {
    var fields: HTTPHeaders = [
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
      "Sec-WebSocket-Version": "13",
    ]
    if !options.subprotocols.isEmpty {
      fields.append("Sec-WebSocket-Protocol", options.subprotocols.joined(separator: ", "))
    }
    if let compression = options.compression {
      fields.append("Sec-WebSocket-Extensions", compression.offer)
    }
    let own = Set(fields.map { $0.name.lowercased() })
    for (name, value) in headers where !own.contains(name.lowercased()) {
      fields.append(name, value)
    }
    return fields
  }

  /// Checks the response of a server to a key.
  static func confirm(
    _ headers: HTTPHeaders, key: String, _ options: WebSocketOptions
  ) throws(WebSocketError) -> Agreement {
    guard headers.elements(of: "Upgrade").map({ $0.lowercased() }) == ["websocket"] else {
      throw .handshake("the server does not upgrade to a WebSocket")
    }
    guard headers.hasElement("upgrade", in: "Connection") else {
      throw .handshake("the response has no \"Connection: Upgrade\"")
    }
    guard headers.values(of: "Sec-WebSocket-Accept") == [answer(to: key)] else {
      throw .handshake("Sec-WebSocket-Accept does not match the key")
    }
    var agreement = Agreement()
    let protocols = headers.values(of: "Sec-WebSocket-Protocol")
    if let chosen = protocols.first {
      guard protocols.count == 1, options.subprotocols.contains(chosen) else {
        throw .handshake("the server chose a protocol that was not offered")
      }
      agreement.subprotocol = chosen
    }
    let extensions = headers.elements(of: "Sec-WebSocket-Extensions")
    if let text = extensions.first {
      guard extensions.count == 1, let answer = WebSocketExtensionValue(text),
        let codec = options.compression?.confirm(answer)
      else { throw .handshake("the server chose an extension that was not offered") }
      agreement.codec = codec
    }
    return agreement
  }
}

extension HTTPHeaders {
  /// True if a list of tokens has an element, which is given in small letters.
  fileprivate func hasElement(_ element: String, in name: String) -> Bool {
    elements(of: name).contains { $0.lowercased() == element }
  }
}
