import Runnel

/// The commands that talk to a running board.
@MainActor
struct Client {
  private let client = HTTPClient(on: .main)
  private let url: String

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(url: String?, topic: String) throws(BoardError) {
    guard Post.isTopic(topic) else { throw .invalidTopic }
    self.url = "\(url ?? "http://127.0.0.1:8080")/topics/\(topic.percentEncoded)"
  }

  /// Publishes a text. Returns the number of the post.
  func publish(_ text: String, token: String?) async throws -> Int {
    var request = HTTPRequest(
      .post, url, headers: ["Content-Type": "text/plain; charset=utf-8"], body: HTTPBody(text))
    request.headers["Authorization"] = token.map { "Bearer \($0)" }
    let numbers = client.response(request).mapFailure(to: (any Error).self, Self.explained)
      .flatMap { $0.json([String: Int].self) }
    guard let id = try await numbers.value()?["id"] else {
      throw Failure(description: "The answer has no number. Check that \(url) is a board.")
    }
    return id
  }

  /// The texts of the posts after a number, or of new posts. Connects again when it is cut off.
  func posts(after id: Int?) -> EventStream<String, any Error> {
    let request = HTTPRequest(.get, id == nil ? "\(url)?last=0" : url)
    return client.events(request, after: id.map { "\($0)" } ?? "", silence: .seconds(60))
      .mapFailure(to: (any Error).self, Self.explained)
      .map { event throws(any Error) in
        let post = try JSON.decode(PostContent.self, from: event.data)
        // The server may be another program, and these could change the terminal.
        return String(post.text.filter { !Post.hasControlCharacters("\($0)") })
      }
  }

  private nonisolated static func explained(_ error: HTTPClientError) -> any Error {
    guard case .status(let response) = error else { return error }
    let advice =
      response.status == .unauthorized ? "Use --token, or the variable BOARD_TOKEN. " : ""
    return Failure(description: "\(response.status): \(advice)\(response.text)")
  }
}
