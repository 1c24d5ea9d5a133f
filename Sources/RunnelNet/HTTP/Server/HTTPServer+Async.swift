import RunnelLoop
import RunnelStreams

extension HTTPServer {
  /// Adds a route for GET and HEAD whose handler is asynchronous. See ``get(_:_:)``.
  public func get<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.get, path, handler)
  }

  /// Adds a route for POST whose handler is asynchronous. See ``get(_:_:)``.
  public func post<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.post, path, handler)
  }

  /// Adds a route for PUT whose handler is asynchronous. See ``get(_:_:)``.
  public func put<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.put, path, handler)
  }

  /// Adds a route for PATCH whose handler is asynchronous. See ``get(_:_:)``.
  public func patch<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.patch, path, handler)
  }

  /// Adds a route for DELETE whose handler is asynchronous. See ``get(_:_:)``.
  public func delete<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.delete, path, handler)
  }

  /// Adds a route whose handler is asynchronous. Nil is every method. See ``get(_:_:)``.
  ///
  ///     server.get("/report") { request async throws in try await reports.today() }
  ///
  /// The handler begins on the loop, and returns to it after each `await` of code that runs
  /// elsewhere. Its task is cancelled when the client goes away.
  public func on<Result: HTTPReplyConvertible & SendableMetatype>(
    _ method: HTTPMethod?, _ path: String,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    guard let loop = system.scheduler as? EventLoop else {
      fatalError(
        "An async handler runs on an EventLoop. On a TestNetwork, return a Single or a stream.")
    }
    on(method, path) { request in
      Single(
        trusting: EventStream<Result, any Error>.unguarded { observer in
          let call = AsyncCall(request: request, observer: observer)
          let task = Task(executorPreference: loop) {
            do {
              call.observer.next(try await handler(call.request))
              call.observer.completed()
            } catch {
              call.observer.failed(error)
            }
          }
          observer.observation.add { task.cancel() }
        })
    }
  }
}

/// A request and the observer of its result, which a task uses.
// Safety: the task prefers the loop of the server, and returns to it after each `await`. So both are
// used on the thread of the loop only.
private struct AsyncCall<Result>: @unchecked Sendable {
  let request: HTTPRequest
  let observer: Observer<Result, any Error>
}
