import Foundation
import FoundationNetworking
import RunnelStreams

extension URLSession: ReactiveCompatible {}

extension Reactive where Base: URLSession {
  /// Sends a request, and gives the answer whatever its status is.
  ///
  ///     URLSession.shared.rx.response(request: URLRequest(url: address))
  ///       .observe(
  ///         succeeded: { response, data in show(response.statusCode, data.count) },
  ///         failed: { print($0) })
  ///
  /// *Events*: nothing is sent before it is observed, and each observation sends the request anew
  /// (C6). Redirects are followed as the session does. The result is the job of the context that it is
  /// observed on: of the actor that this is called in, else of the thread, which must have one.
  ///
  /// *Disposal*: cancels the request (C4).
  public func response(
    request: URLRequest, isolation: isolated (any Actor)? = #isolation
  ) -> Single<(response: HTTPURLResponse, data: Data), URLSessionFailure> {
    let session = base
    let actor: (any Actor)? = isolation
    return Single(
      trusting: .unguarded { observer in
        let homeObserver = HomeObserver(observer, at: Current.context(orOf: actor))
        let transfer = Transfer(request, in: session) { data, response, error in
          switch (response, error) {
          case (let response as HTTPURLResponse, nil):
            homeObserver.complete(with: (response, data ?? Data()))
          case (let response?, nil): homeObserver.end(.failed(.notHTTP(response)))
          case (_, let error): homeObserver.end(.failed(.transport(URLError(error))))
          }
        } unanswered: { response in
          homeObserver.complete(with: (response, Data()))
        }
        observer.observation.add(transfer)
      })
  }

  /// Sends a request, and gives the body of the answer.
  ///
  ///     var request = URLRequest(url: address)
  ///     request.httpMethod = "POST"
  ///     request.httpBody = Data("Jim".utf8)
  ///     URLSession.shared.rx.data(request: request)
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``response(request:isolation:)``. A status outside 200..<300 is a
  /// failure, which carries the body.
  public func data(
    request: URLRequest, isolation: isolated (any Actor)? = #isolation
  ) -> Single<Data, URLSessionFailure> {
    success(request, isolation).map(\.data)
  }

  /// Sends a request, and gives the body of the answer as text, in the character set that the server
  /// names, else in UTF-8.
  ///
  ///     URLSession.shared.rx.string(request: URLRequest(url: address))
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``data(request:isolation:)``. A body that is no such text is a failure.
  public func string(
    request: URLRequest, isolation: isolated (any Actor)? = #isolation
  ) -> Single<String, URLSessionFailure> {
    success(request, isolation).map { response, data throws(URLSessionFailure) in
      guard let text = response.text(of: data) else {
        throw .notText(charset: response.charset, body: data)
      }
      return text
    }
  }

  /// Sends a request, and reads the body of the answer as JSON.
  ///
  ///     URLSession.shared.rx.json(User.self, request: URLRequest(url: address))
  ///       .retry(3)
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``data(request:isolation:)``. A body that is no such JSON is a failure.
  /// It is read where the result arrives, so the value need not be `Sendable`. A big one is better
  /// read elsewhere: `data(request:).stream.via(worker) { … }`.
  public func json<Value: Decodable>(
    _ type: Value.Type, request: URLRequest, decoder: JSONDecoder = JSONDecoder(),
    isolation: isolated (any Actor)? = #isolation
  ) -> Single<Value, URLSessionFailure> {
    data(request: request, isolation: isolation).map { data throws(URLSessionFailure) in
      do {
        return try decoder.decode(type, from: data)
      } catch {
        throw .undecodable(error, body: data)
      }
    }
  }

  private func success(
    _ request: URLRequest, _ isolation: isolated (any Actor)?
  ) -> Single<(response: HTTPURLResponse, data: Data), URLSessionFailure> {
    response(request: request, isolation: isolation).map { answer throws(URLSessionFailure) in
      guard 200..<300 ~= answer.response.statusCode else {
        throw .status(answer.response, body: answer.data)
      }
      return answer
    }
  }
}

// MARK: - The same with a URL

extension Reactive where Base: URLSession {
  /// Gets what is at a URL, and gives the answer whatever its status is.
  ///
  /// *Events*, *Disposal*: as ``response(request:isolation:)``.
  public func response(
    url: URL, isolation: isolated (any Actor)? = #isolation
  ) -> Single<(response: HTTPURLResponse, data: Data), URLSessionFailure> {
    response(request: URLRequest(url: url), isolation: isolation)
  }

  /// Gets what is at a URL.
  ///
  ///     URLSession.shared.rx.data(url: address)
  ///       .observe(succeeded: { show($0.count) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``data(request:isolation:)``.
  public func data(
    url: URL, isolation: isolated (any Actor)? = #isolation
  ) -> Single<Data, URLSessionFailure> {
    data(request: URLRequest(url: url), isolation: isolation)
  }

  /// Gets the text that is at a URL.
  ///
  /// *Events*, *Disposal*: as ``string(request:isolation:)``.
  public func string(
    url: URL, isolation: isolated (any Actor)? = #isolation
  ) -> Single<String, URLSessionFailure> {
    string(request: URLRequest(url: url), isolation: isolation)
  }

  /// Gets the JSON that is at a URL.
  ///
  ///     URLSession.shared.rx.json([User].self, url: address)
  ///       .recover(with: [])
  ///       .observe(succeeded: { show($0) })
  ///
  /// *Events*, *Disposal*: as ``json(_:request:decoder:isolation:)``.
  public func json<Value: Decodable>(
    _ type: Value.Type, url: URL, decoder: JSONDecoder = JSONDecoder(),
    isolation: isolated (any Actor)? = #isolation
  ) -> Single<Value, URLSessionFailure> {
    json(type, request: URLRequest(url: url), decoder: decoder, isolation: isolation)
  }
}

extension URLError {
  /// The error of a task, which is of this type unless a protocol of the user's own made it.
  fileprivate init(_ error: (any Error)?) {
    self =
      error as? URLError
      ?? URLError(.unknown, userInfo: error.map { [NSUnderlyingErrorKey: $0] } ?? [:])
  }
}
