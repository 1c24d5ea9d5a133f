import RunnelStreams

/// The replies of a server to errors of its handlers.
final class ErrorReplies {
  /// Errors that are answered with 500, and errors of listeners.
  let failures = PushStream<any Error>()
  private var mappings: [(any Error, HTTPRequest) -> HTTPReply?] = []

  /// Adds a closure that is asked before those that were added earlier.
  func add(_ mapping: @escaping (any Error, HTTPRequest) -> HTTPReply?) {
    mappings.append(mapping)
  }

  func reply(to error: any Error, of request: HTTPRequest) -> HTTPReply {
    for mapping in mappings.reversed() {
      if let reply = mapping(error, request) { return reply }
    }
    if let known = error as? any HTTPReplyConvertible { return known.reply(to: request) }
    report(error, of: request)
    return HTTPError(.internalServerError).reply(to: request)
  }

  /// The first response of a stream, or the response to its failure.
  func recovered(
    _ stream: EventStream<HTTPResponse, any Error>, _ request: HTTPRequest
  ) -> EventStream<HTTPResponse, Never> {
    first(of: stream).flatMapFailure(to: Never.self) { [self] error in
      switch reply(to: error, of: request).content {
      case .now(let response): .just(response)
      case .later(let stream):
        first(of: stream).flatMapFailure(to: Never.self) { [self] in
          .just(reportedResponse(to: $0, of: request))
        }
      case .upgrade: .just(reportedResponse(to: HTTPServerError.lateUpgrade, of: request))
      }
    }
  }

  private func first(
    of stream: EventStream<HTTPResponse, any Error>
  ) -> EventStream<HTTPResponse, any Error> {
    stream.take(1).ifEmpty(switchTo: .failed(HTTPError(.internalServerError)))
  }

  private func reportedResponse(to error: any Error, of request: HTTPRequest) -> HTTPResponse {
    report(error, of: request)
    return HTTPError(.internalServerError).response
  }

  /// Logs an error of a handler, and sends it to the observers of failures.
  func report(
    _ error: any Error, _ message: String = "A handler failed.", of request: HTTPRequest? = nil
  ) {
    let log = Log("runnel.net", ["error": error])
    let place = request.map { log.with(["method": $0.method, "path": $0.path]) }
    (place ?? log).error(message)
    failures.next(error)
  }
}
