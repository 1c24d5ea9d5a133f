extension HTTPHeaderError: HTTPReplyConvertible {
  /// A reply with 400. It does not repeat the name, which an attacker may have chosen.
  public func reply(to request: HTTPRequest) -> HTTPReply {
    HTTPError(.badRequest, "A header field has an invalid name or value.").reply(to: request)
  }
}
