import RunnelJSON
import RunnelStreams

extension HTTPRequest {
  /// Returns an operation that decodes the body from JSON.
  ///
  ///     server.post("/posts") { request in
  ///       request.json(Post.self).map { post in "Posted: \(post.title)\n" }
  ///     }
  ///
  /// *Events*: fails with an error that is answered with 415 if the type of the body is not JSON,
  /// with 413 if it has more bytes than the limit, and with 400 if it cannot be decoded. The answer
  /// names the value that is missing or invalid, and its place. Another error that the type throws
  /// while it is decoded is passed on.
  public func json<Value: Decodable>(
    _ type: Value.Type, atMost limit: Int = 1 << 20
  ) -> Single<Value, any Error> {
    jsonBytes(atMost: limit).map { bytes throws(any Error) in
      do throws(JSONError) {
        return try JSON.decode(type, from: bytes)
      } catch {
        // A text in the body may be JSON as well.
        if let cause = error.underlying, !(cause is JSONError) { throw cause }
        throw HTTPError(.badRequest, "\(error)")
      }
    }
  }

  /// Returns an operation that reads the body, whose type must be JSON.
  package func jsonBytes(atMost limit: Int) -> Single<[UInt8], any Error> {
    guard let contentType, contentType.isJSON, contentType.isUTF8 else {
      return .failed(HTTPError(.unsupportedMediaType, "The type of the body must be JSON."))
    }
    return body.bytes(atMost: limit)
  }

  /// Creates a request whose body is a value in JSON.
  ///
  ///     let request = try HTTPRequest(.post, "http://example.org/posts", json: ["title": "a"])
  ///     client.response(request).observe(succeeded: { show($0.status) }, failed: { show($0) })
  public init(
    _ method: HTTPMethod, _ target: String, json value: some Encodable
  ) throws(JSONError) {
    self.init(
      method, target, headers: .json, body: HTTPBody(try JSON.encode(value)))
  }
}

extension HTTPResponse {
  /// Creates a response whose body is a value in JSON.
  ///
  ///     server.get("/posts") { _ in try HTTPResponse(json: ["a", "b"]) }
  public init(_ status: HTTPStatus = .ok, json value: some Encodable) throws(JSONError) {
    self.init(status, headers: .json, body: HTTPBody(try JSON.encode(value)))
  }

  /// Creates a response whose body is a value that writes itself as JSON.
  ///
  ///     server.get("/numbers") { _ in HTTPResponse(writingJSON: [1, 2, 3]) }
  public init(_ status: HTTPStatus = .ok, writingJSON value: some JSONWritable) {
    self.init(status, headers: .json, body: HTTPBody(JSONWriter.bytes(of: value)))
  }

  /// Creates a response whose body is JSON that a closure writes.
  ///
  ///     server.get("/count") { _ in
  ///       HTTPResponse(writingJSON: { json in json.object { $0.field("count", 7) } })
  ///     }
  public init<Failure: Error>(
    _ status: HTTPStatus = .ok,
    writingJSON write: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.init(status, headers: .json, body: HTTPBody(try JSONWriter.bytes(write)))
  }

  /// Returns an operation that decodes the body from JSON, whatever type the header fields say.
  ///
  ///     client.get("http://example.org/posts").mapFailure(to: (any Error).self) { $0 }
  ///       .flatMap { $0.json([Post].self) }
  ///       .observe(succeeded: { show($0.count) }, failed: { show($0) })
  ///
  /// *Events*: fails with a `JSONError` if the body cannot be decoded, and with an `HTTPBodyError` if
  /// it has more bytes than the limit or ends too early.
  public func json<Value: Decodable>(
    _ type: Value.Type, atMost limit: Int = 16 << 20
  ) -> Single<Value, any Error> {
    body.bytes(atMost: limit).map { bytes throws(any Error) in
      try JSON.decode(type, from: bytes)
    }
  }
}

extension HTTPHeaders {
  package static var json: HTTPHeaders { ["Content-Type": "application/json"] }
}
