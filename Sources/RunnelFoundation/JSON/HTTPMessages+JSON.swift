import Foundation
import RunnelJSON
import RunnelNet
import RunnelStreams

extension HTTPRequest {
  /// Returns an operation that decodes the body from JSON with a decoder of Foundation.
  ///
  ///     server.post("/posts") { request in
  ///       request.json(Post.self, decoder: JSONDecoder()).map { "Posted: \($0.title)\n" }
  ///     }
  ///
  /// *Events*: fails with an error that is answered with 415 if the type of the body is not JSON,
  /// with 413 if it has more bytes than the limit, and with 400 if it cannot be decoded. The answer
  /// names the value that is missing or invalid. Another error that the type throws while it is
  /// decoded is passed on.
  public func json<Value: Decodable>(
    _ type: Value.Type, atMost limit: Int = 1 << 20, decoder: JSONDecoder
  ) -> Single<Value, any Error> {
    jsonBytes(atMost: limit).map { bytes throws(any Error) in
      do {
        return try decoder.decode(type, from: Data(bytes))
      } catch let error as DecodingError {
        throw HTTPError(.badRequest, error.reason)
      }
    }
  }

  /// Creates a request whose body is a value in JSON, which an encoder of Foundation writes.
  ///
  ///     let request = try HTTPRequest(
  ///       .post, "http://example.org/posts", json: ["title": "a"], encoder: JSONEncoder())
  ///     client.response(request).observe(succeeded: { show($0.status) }, failed: { show($0) })
  public init(
    _ method: HTTPMethod, _ target: String, json value: some Encodable,
    encoder: JSONEncoder
  ) throws(JSONFailure) {
    self.init(
      method, target, headers: .json, body: HTTPBody(try encoder.bytes(of: value)))
  }
}

extension HTTPResponse {
  /// Creates a response whose body is a value in JSON, which an encoder of Foundation writes.
  ///
  ///     server.get("/posts") { _ in try HTTPResponse(json: ["a", "b"], encoder: JSONEncoder()) }
  public init(
    _ status: HTTPStatus = .ok, json value: some Encodable, encoder: JSONEncoder
  ) throws(JSONFailure) {
    self.init(status, headers: .json, body: HTTPBody(try encoder.bytes(of: value)))
  }

  /// Returns an operation that decodes the body from JSON with a decoder of Foundation, whatever type
  /// the header fields say.
  ///
  ///     client.get("http://example.org/posts").mapFailure(to: (any Error).self) { $0 }
  ///       .flatMap { $0.json([Post].self, decoder: JSONDecoder()) }
  ///       .observe(succeeded: { show($0.count) }, failed: { show($0) })
  ///
  /// *Events*: fails with ``JSONFailure/unreadable(_:_:)`` if the body cannot be decoded, and with an
  /// `HTTPBodyError` if it has more bytes than the limit or ends too early.
  public func json<Value: Decodable>(
    _ type: Value.Type, atMost limit: Int = 16 << 20, decoder: JSONDecoder
  ) -> Single<Value, any Error> {
    body.bytes(atMost: limit).map { bytes throws(any Error) in
      let data = Data(bytes)
      do {
        return try decoder.decode(type, from: data)
      } catch {
        throw JSONFailure.unreadable(data, error)
      }
    }
  }
}

extension JSONEncoder {
  fileprivate func bytes(of value: some Encodable) throws(JSONFailure) -> [UInt8] {
    do {
      return Array(try encode(value))
    } catch {
      throw .unwritable(error)
    }
  }
}

extension DecodingError {
  /// The problem in a sentence for the client.
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.name(context.codingPath + [key])) is missing."
    case .valueNotFound(_, let context): "\(Self.name(context.codingPath)) is null."
    case .typeMismatch(_, let context):
      "\(Self.name(context.codingPath)) has another type than expected."
    case .dataCorrupted(let context):
      // It is also the case of a body that is no JSON, without a path.
      "\(Self.name(context.codingPath)) is invalid: \(context.debugDescription)"
    @unknown default: "The body cannot be decoded."
    }
  }

  private static func name(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "The value" : path.text
  }
}
