/// A compression that both ends of a WebSocket agree on in the handshake, such as
/// `permessage-deflate`.
package protocol WebSocketExtension {
  /// The value of `Sec-WebSocket-Extensions` with which a client offers it.
  var offer: String { get }

  /// Accepts one of the client's offers, for a server. Returns the value of the response's field,
  /// and the codec; nil if no offer is suitable.
  func accept(_ offers: [WebSocketExtensionValue]) -> (answer: String, codec: any WebSocketCodec)?

  /// Returns the codec for the answer of a server; nil if the answer does not match the offer.
  func confirm(_ answer: WebSocketExtensionValue) -> (any WebSocketCodec)?
}

/// The two directions of a compression on one WebSocket.
package protocol WebSocketCodec: AnyObject {
  /// The smallest message that is compressed.
  var minimumCount: Int { get }

  /// Compresses a message to the end of an array.
  func compress(_ message: UnsafeRawBufferPointer, into output: inout [UInt8])

  /// Forgets the messages that were compressed before. The peer needs no notice.
  func forgetCompressed()

  /// Decompresses a part of a message to the end of an array, which holds the message so far.
  /// Throws ``WebSocketError/tooLarge(limit:)`` as soon as the array would be longer than the limit.
  func decompress(
    _ part: UnsafeRawBufferPointer, into message: inout [UInt8], limit: Int
  ) throws(WebSocketError)

  func finishMessage(into message: inout [UInt8], limit: Int) throws(WebSocketError)
}

/// An element of a `Sec-WebSocket-Extensions` field.
package struct WebSocketExtensionValue: Equatable {
  /// A parameter with its value, if it has one.
  package struct Parameter: Equatable {
    package var name: String
    package var value: String?
  }

  package var name: String
  package var parameters: [Parameter]

  /// Parses an element of the field; nil if it violates the syntax.
  package init?(_ text: String) {
    let parts = text.elements(separatedBy: UInt8(ascii: ";"))
    guard let name = parts.first, Self.isToken(name), parts.count == 1 + text.count(of: ";") else {
      return nil
    }
    self.name = name
    parameters = []
    for part in parts.dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(sides[0])
      var value = sides.count == 2 ? String(sides[1]) : nil
      // The text between quotation marks must be a token too.
      if let quoted = value, quoted.utf8.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"")
      {
        value = String(quoted.dropFirst().dropLast())
      }
      guard Self.isToken(name), value.map(Self.isToken) ?? true else { return nil }
      parameters.append(Parameter(name: name, value: value))
    }
  }

  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isTokenCharacter }
  }
}

extension String {
  fileprivate func count(of character: Character) -> Int {
    reduce(0) { $1 == character ? $0 + 1 : $0 }
  }
}
