import RunnelLoop
import RunnelStreams

extension HTTPServer {
  /// Adds a route whose handler is asynchronous. Nil is every method. See ``get(_:_:)``.
  ///
  ///     server.on(.get, "/report") { request async throws in try await reports.today() }
  ///
  /// The handler begins on the loop, and returns to it after each `await` of code that runs
  /// elsewhere. Its task is cancelled when the client goes away.
  public func on<Result: HTTPReplyConvertible & Sendable>(
    _ method: HTTPMethod?, _ path: String,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    guard let loop = system.scheduler as? EventLoop else {
      fatalError(
        "An async handler runs on an EventLoop. On a TestNetwork, return a Single or a stream.")
    }
    on(method, path) { request in
      // Safety: the task prefers the loop, so the request is used on the loop's thread only.
      let held = HeldRequest(request: request)
      let results = EventStream<Result, any Error>.unguarded { observer in
        let home = HomeObserver(observer, at: Current.context(orOf: nil))
        let work: @Sendable () async -> Void = {
          do {
            home.complete(with: try await handler(held.request))
          } catch {
            home.end(.failed(error))
          }
        }
        let task = Task(executorPreference: loop, operation: work)
        observer.observation.add { task.cancel() }
      }
      return Single(trusting: results)
    }
  }
}

/// A request that is passed to a task.
// Safety: see the use.
private struct HeldRequest: @unchecked Sendable {
  let request: HTTPRequest
}
