/// An error that a server answers with a status and a short text.
///
///     server.get("/notes/:id") { request in
///       let id = try request.parameter("id", as: Int.self)
///       guard let note = notes[id] else { throw HTTPError(.notFound, "There is no note \(id).") }
///       return note
///     }
public struct HTTPError: Error {
  /// The status of the response.
  public let status: HTTPStatus
  /// The text of the response.
  public let text: String
  /// Further header fields of the response.
  public let headers: HTTPHeaders

  /// Creates an error. Without a text, the response contains the name of the status.
  public init(_ status: HTTPStatus, _ text: String? = nil, headers: HTTPHeaders = HTTPHeaders()) {
    self.status = status
    self.text = text ?? "\(status)"
    self.headers = headers
  }

  /// The response to the client.
  public var response: HTTPResponse {
    var response = HTTPResponse(status, text: text + "\n")
    for (name, value) in headers { response.headers.append(name, value) }
    return response
  }
}

extension HTTPError: CustomStringConvertible {
  /// The status and the text.
  public var description: String { "\(status)" == text ? text : "\(status): \(text)" }
}
