import RunnelLoop
import RunnelStreams

/// A server, or a group of its routes.
///
///     func addVersion(to routes: some HTTPRoutes) { routes.get("/version") { _ in "1.2" } }
///     addVersion(to: server)
public protocol HTTPRoutes {
  /// The group to which the routes are added.
  var routes: HTTPGroup { get }
}

extension HTTPRoutes {
  /// Adds a route for GET and HEAD.
  ///
  /// A path may have parameters: `/topics/:name` matches one segment, and `/files/*path` matches the
  /// rest, which is not percent-decoded. The most specific route wins, whatever the order: segment by
  /// segment, a text before a parameter, and a parameter before the rest of a path. A second route for
  /// the same requests traps, also if a handler adds it.
  public func get<Result: HTTPReplyConvertible>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (HTTPRequest) throws -> Result
  ) {
    on(.get, path, file: file, line: line, handler)
  }

  /// Adds a route for POST. See `get(_:file:line:_:)`.
  public func post<Result: HTTPReplyConvertible>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (HTTPRequest) throws -> Result
  ) {
    on(.post, path, file: file, line: line, handler)
  }

  /// Adds a route for PUT. See `get(_:file:line:_:)`.
  public func put<Result: HTTPReplyConvertible>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (HTTPRequest) throws -> Result
  ) {
    on(.put, path, file: file, line: line, handler)
  }

  /// Adds a route for PATCH. See `get(_:file:line:_:)`.
  public func patch<Result: HTTPReplyConvertible>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (HTTPRequest) throws -> Result
  ) {
    on(.patch, path, file: file, line: line, handler)
  }

  /// Adds a route for DELETE. See `get(_:file:line:_:)`.
  public func delete<Result: HTTPReplyConvertible>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (HTTPRequest) throws -> Result
  ) {
    on(.delete, path, file: file, line: line, handler)
  }

  /// Adds a route for a method; nil is every method that has no route of its own. See
  /// `get(_:file:line:_:)`.
  public func on<Result: HTTPReplyConvertible>(
    _ method: HTTPMethod?, _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping (HTTPRequest) throws -> Result
  ) {
    // The handler may use the server, which must not retain itself.
    routes.add(method, path, at: "\(file):\(line)") { [weak server = routes.server] request in
      // Middleware may go on after the server was released.
      guard let server else { return HTTPError(.serviceUnavailable).reply(to: request) }
      do {
        return try handler(request).reply(to: request)
      } catch {
        return server.errors.reply(to: error, of: request)
      }
    }
  }

  /// Adds middleware. It is called in the order of its addition. Add the middleware of a group before
  /// its routes and groups; a later call traps.
  public func use(_ middleware: @escaping HTTPMiddleware) {
    routes.use(middleware)
  }

  /// Returns a group of routes below a path, which may have parameters. See ``HTTPGroup``.
  public func group(_ path: String = "") -> HTTPGroup {
    routes.group(path)
  }

  /// Adds a group of routes below a path, which may have parameters. See ``HTTPGroup``.
  @discardableResult
  public func group(
    _ path: String = "", _ add: (_ group: HTTPGroup) throws -> Void
  ) rethrows -> HTTPGroup {
    let group: HTTPGroup = group(path)
    try add(group)
    return group
  }
}

/// Handlers that are asynchronous.
extension HTTPRoutes {
  /// Adds a route for GET and HEAD whose handler is asynchronous. See ``get(_:file:line:_:)``.
  public func get<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.get, path, file: file, line: line, handler)
  }

  /// Adds a route for POST whose handler is asynchronous. See `get(_:file:line:_:)`.
  public func post<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.post, path, file: file, line: line, handler)
  }

  /// Adds a route for PUT whose handler is asynchronous. See `get(_:file:line:_:)`.
  public func put<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.put, path, file: file, line: line, handler)
  }

  /// Adds a route for PATCH whose handler is asynchronous. See `get(_:file:line:_:)`.
  public func patch<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.patch, path, file: file, line: line, handler)
  }

  /// Adds a route for DELETE whose handler is asynchronous. See `get(_:file:line:_:)`.
  public func delete<Result: HTTPReplyConvertible & SendableMetatype>(
    _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    on(.delete, path, file: file, line: line, handler)
  }

  /// Adds a route whose handler is asynchronous. Nil is every method that has no route of
  /// its own. See `get(_:file:line:_:)`.
  ///
  ///     server.get("/report") { request async throws in try await reports.today() }
  ///
  /// The handler begins on the loop, and returns to it after each `await` of code that runs
  /// elsewhere. Its task is cancelled when the client goes away.
  public func on<Result: HTTPReplyConvertible & SendableMetatype>(
    _ method: HTTPMethod?, _ path: String, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (HTTPRequest) async throws -> Result
  ) {
    guard let server = routes.server else { return }
    guard let loop = server.system.scheduler as? EventLoop else {
      fatalError(
        "An async handler runs on an EventLoop. On a TestNetwork, return a Single or a stream.")
    }
    on(method, path, file: file, line: line) { request in
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
