import RunnelStreams

extension HTTPServer {
  /// Logs each request in a line, when its response is written or lost.
  ///
  ///     server.logAccess(.json) { show($0) }
  ///
  /// Add it before other middleware, whose responses it logs as well. Texts of the client are
  /// escaped, so that they cannot add lines. Requests that violate the protocol do not reach the
  /// middleware and are not logged. A connection that changes to another protocol is logged when it
  /// does.
  ///
  /// - Parameters:
  ///   - format: The format of the lines.
  ///   - now: Returns the time since 1 January 1970.
  ///   - sink: Called on the loop with each line, without a line ending.
  public func logAccess(
    _ format: HTTPAccessFormat = .common, now: @escaping () -> Duration = HTTPServer.wallClock,
    to sink: @escaping (String) -> Void
  ) {
    watchResponses(now: now) { sink(format.line($0)) }
  }

  /// Logs each request as an entry with fields, when its response is written or lost.
  ///
  ///     server.logAccess(to: Log("access"))
  ///
  /// See ``logAccess(_:now:to:)``.
  public func logAccess(to log: Log) {
    watchResponses(now: HTTPServer.wallClock) { access in
      log.info(
        "Request.",
        [
          "method": access.request.method, "status": access.status?.code ?? 499,
          "bytes": access.count, "seconds": access.duration / .seconds(1),
          "complete": access.isComplete, "peer": access.request.peer,
          "target": access.request.target,
        ])
    }
  }

  /// Calls a closure for each request, when its response is written or lost, for example to end a
  /// span of a trace.
  ///
  ///     server.watchResponses { show($0.duration) }
  ///
  /// See ``logAccess(_:now:to:)``. The request has the values that earlier middleware has stored in it,
  /// and no parameters of its route: use ``route(of:)``.
  public func watchResponses(
    now: @escaping () -> Duration = HTTPServer.wallClock,
    _ report: @escaping (HTTPAccess) -> Void
  ) {
    let scheduler = system.scheduler
    // Safety: the server calls its middleware, which must not retain it.
    use { [weak self] request, next in
      guard let self else { return next(request) }
      let time = now()
      let begin = scheduler.now
      // The body is not retained while the response is written.
      var described = request
      described.body = .empty
      described.reception.trailers = nil
      let logged = described
      func log(_ status: HTTPStatus?, _ count: Int, _ isComplete: Bool) {
        let access = HTTPAccess(
          request: logged, time: time, status: status, count: count,
          duration: scheduler.now - begin, isComplete: isComplete)
        report(access)
      }
      func watched(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        // An interim status is not sent as a response: see `ServerConnection.respond`.
        let isInterim = response.status.code < 200
        let status = isInterim ? .internalServerError : response.status
        let delivered = response.delivered
        response.delivered = { count, isComplete in
          delivered?(count, isComplete)
          log(status, count, isComplete)
        }
        return response
      }
      switch finished(next(request), of: request).content {
      case .now(let response): return HTTPReply(watched(response))
      case .later(let stream):
        return HTTPReply(
          .later(
            .unguarded { observer in
              // The client goes away: the observation is disposed before the response.
              var isAnswered = false
              observer.observation.add { if !isAnswered { log(nil, 0, false) } }
              stream.start(
                Observer(before: observer) { response in
                  isAnswered = true
                  observer.next(watched(response))
                })
            }))
      case .upgrade(let response, let use):
        log(response.status, 0, true)
        return HTTPReply(.upgrade(response, use))
      }
    }
  }

  /// Returns the time of the system since 1 January 1970.
  public static func wallClock() -> Duration { LogEntry.now }
}
