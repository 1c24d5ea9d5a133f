import RunnelStreams

extension HTTPRequest {
  /// Returns an operation that reads the body as a form, `application/x-www-form-urlencoded`.
  ///
  ///     server.post("/topics") { request in
  ///       request.form().map { form in form["text"] ?? "" }
  ///     }
  ///
  /// *Events*: fails with an error that is answered with 415 if the body has another type, with 413
  /// if it has more bytes than the limit or more than 1,000 values, and with 400 if it is not UTF-8.
  public func form(atMost limit: Int = 1 << 20) -> Single<HTTPQuery, any Error> {
    guard let type = contentType, type.essence == "application/x-www-form-urlencoded", type.isUTF8
    else { return .failed(HTTPError(.unsupportedMediaType)) }
    return body.text(atMost: limit).map { text throws(any Error) in
      guard text.utf8.count(where: { $0 == UInt8(ascii: "&") }) < 1_000 else {
        throw HTTPError(.contentTooLarge, "The form has more than 1000 values.")
      }
      return HTTPQuery(text)
    }
  }

  /// Returns an operation that reads the body as a form with several parts, which may be files:
  /// `multipart/form-data`. Large parts are written to temporary files while they arrive, on the
  /// loop. See ``MultipartForm``.
  ///
  /// *Events*: fails with an error that is answered with 415 if the body has another type, with 413
  /// if it goes beyond a limit, and with 400 if it is invalid. An error of a temporary file is
  /// answered with 500.
  ///
  /// *Disposal*: removes the temporary files.
  public func multipart(
    _ limits: MultipartLimits = MultipartLimits()
  ) -> Single<MultipartForm, any Error> {
    guard let type = contentType, type.essence == "multipart/form-data" else {
      return .failed(HTTPError(.unsupportedMediaType))
    }
    guard let boundary = type.parameters["boundary"],
      let parser = MultipartParser(boundary: boundary, limits)
    else { return .failed(MultipartError.malformed("it has no valid boundary")) }
    return body.stream.reduce(into: MultipartReader(parser, limits)) {
      reader, piece throws(any Error) in try reader.read(piece)
    }.map { reader throws(any Error) in try reader.form() }
  }
}
