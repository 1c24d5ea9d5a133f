/// JSON as RFC 8259 defines it, without Foundation.
///
///     struct Post: Codable {
///       let id: Int
///       let title: String
///     }
///     let bytes = try JSON.encode(Post(id: 7, title: "Hello"))
///     show(try JSON.decode(Post.self, from: bytes).title)
public enum JSON {
  /// Returns a value as JSON text in UTF-8, without spaces.
  ///
  /// Doubles are written in the shortest form that reads as the same number. Fields have the order in
  /// which the value encodes them.
  public static func encode(
    _ value: some Encodable, within limits: JSONLimits = JSONLimits(),
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONError) -> [UInt8] {
    let session = EncodingSession(limits, userInfo: userInfo)
    let text: [UInt8]
    do {
      text = try session.text(of: value)
    } catch {
      throw session.failure(error)
    }
    guard text.count <= limits.usableSize else {
      throw JSONError("The text has more than \(limits.usableSize) bytes.")
    }
    return text
  }

  /// Returns a value as JSON text, as ``encode(_:within:userInfo:)`` does.
  public static func text(
    of value: some Encodable, within limits: JSONLimits = JSONLimits(),
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONError) -> String {
    String(decoding: try encode(value, within: limits, userInfo: userInfo), as: UTF8.self)
  }

  /// Returns the value that a JSON text describes.
  ///
  /// Integers are exact: a number that the type does not have is an error. If a name occurs twice in an
  /// object, the last one counts.
  public static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from text: [UInt8], within limits: JSONLimits = JSONLimits(),
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONError) -> Value {
    let document = try Document(text, limits, userInfo: userInfo)
    do {
      return try ValueDecoder(document, 0).value(type)
    } catch {
      throw document.failure(error)
    }
  }

  /// Returns the value that a JSON text describes.
  public static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from text: some StringProtocol,
    within limits: JSONLimits = JSONLimits(), userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws(JSONError) -> Value {
    try decode(type, from: Array(text.utf8), within: limits, userInfo: userInfo)
  }
}

extension Document {
  /// The error of ``JSON`` for one that was thrown while a value was decoded.
  fileprivate func failure(_ error: any Error) -> JSONError {
    guard let error = error as? DecodingError else {
      let index = failedToken ?? 0
      return JSONError("\(error)", at: path(to: index).text, place(of: index), underlying: error)
    }
    let context =
      switch error {
      case .keyNotFound(_, let context), .valueNotFound(_, let context),
        .typeMismatch(_, let context), .dataCorrupted(let context):
        context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "\(error)")
      }
    let cause = context.underlyingError as? TokenError
    // A decoder of another text may have thrown it.
    let index = cause?.document === self ? cause?.index : nil
    return JSONError(
      context.debugDescription, at: context.codingPath.text,
      place(of: index ?? token(at: context.codingPath)),
      underlying: cause == nil ? context.underlyingError : nil)
  }

  /// Returns the token at a path, or the last one on the way to it that exists.
  private func token(at path: [any CodingKey]) -> Int {
    var index = 0
    for key in path {
      switch self[index].kind {
      case .object:
        guard let value = value(named: key.stringValue, in: index) else { return index }
        index = value
      case .array:
        guard let number = key.intValue else { return index }
        let end = index + self[index].span
        var element = index + 1
        for _ in 0..<max(number, 0) where element < end { element += self[element].span }
        guard element < end else { return index }
        index = element
      default: return index
      }
    }
    return index
  }
}
