/// The state that the encoders of one text share.
final class EncodingSession {
  let limits: JSONLimits
  let userInfo: [CodingUserInfoKey: Any]

  /// The path of the innermost value that has thrown an error.
  @exclusivity(unchecked) var failedPath: [any CodingKey] = []
  /// The first mistake that could not be thrown where it was made.
  @exclusivity(unchecked) private(set) var mistake: EncodingError?

  init(_ limits: JSONLimits, userInfo: [CodingUserInfoKey: Any]) {
    self.limits = limits
    self.userInfo = userInfo
  }

  func text(of value: some Encodable) throws -> [UInt8] {
    let encoder = ValueEncoder(self)
    try encoder.encodeOutermost(value)
    let text = encoder.finish()
    if let mistake { throw mistake }
    return text
  }

  /// The text is useless from now on.
  func note(_ mistake: EncodingError) {
    if self.mistake == nil { self.mistake = mistake }
  }

  /// The error of ``JSON`` for one that was thrown while a value was encoded.
  func failure(_ error: any Error) -> JSONError {
    guard case .invalidValue(_, let context)? = error as? EncodingError else {
      return JSONError("\(error)", at: failedPath.text, underlying: error)
    }
    return JSONError(
      context.debugDescription, at: context.codingPath.text, underlying: context.underlyingError)
  }
}
