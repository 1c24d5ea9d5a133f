import Foundation
import FoundationNetworking
import RunnelStreams

extension URLSession: ReactiveCompatible {}

extension Reactive where Base: URLSession {
  /// Returns the response to a request, whatever its status is.
  ///
  ///     URLSession.shared.rx.response(request: URLRequest(url: address))
  ///       .observe(
  ///         succeeded: { response, data in show(response.statusCode, data.count) },
  ///         failed: { print($0) })
  ///
  /// *Events*: each observation sends the request (C6). Redirects are handled as the session is
  /// configured. The result arrives in a job of the context that the stream is observed on: the
  /// actor that this method is called in, or else the thread's context, which must exist.
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

  /// Returns the body of the response to a request.
  ///
  ///     var request = URLRequest(url: address)
  ///     request.httpMethod = "POST"
  ///     request.httpBody = Data("Jim".utf8)
  ///     URLSession.shared.rx.data(request: request)
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``response(request:isolation:)``. A status outside 200..<300 is a
  /// failure that contains the body.
  public func data(
    request: URLRequest, isolation: isolated (any Actor)? = #isolation
  ) -> Single<Data, URLSessionFailure> {
    success(request, isolation).map(\.data)
  }

  /// Returns the body of the response to a request as text. The server declares the character set;
  /// the default is UTF-8.
  ///
  ///     URLSession.shared.rx.string(request: URLRequest(url: address))
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``data(request:isolation:)``. A body that is not valid text is a
  /// failure.
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

  /// Returns the body of the response to a request, decoded from JSON.
  ///
  ///     URLSession.shared.rx.json(User.self, request: URLRequest(url: address))
  ///       .retry(3)
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*, *Disposal*: as ``data(request:isolation:)``. A body that cannot be decoded is a
  /// failure. Decoding runs where the result arrives, so the value need not be `Sendable`. Decode a
  /// large body on another context instead: `data(request:).stream.via(worker) { … }`.
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

// MARK: - Requests by URL

extension Reactive where Base: URLSession {
  /// Returns the response to a GET request for a URL, whatever its status is.
  ///
  /// *Events*, *Disposal*: as ``response(request:isolation:)``.
  public func response(
    url: URL, isolation: isolated (any Actor)? = #isolation
  ) -> Single<(response: HTTPURLResponse, data: Data), URLSessionFailure> {
    response(request: URLRequest(url: url), isolation: isolation)
  }

  /// Returns the contents of a URL.
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

  /// Returns the contents of a URL as text.
  ///
  /// *Events*, *Disposal*: as ``string(request:isolation:)``.
  public func string(
    url: URL, isolation: isolated (any Actor)? = #isolation
  ) -> Single<String, URLSessionFailure> {
    string(request: URLRequest(url: url), isolation: isolation)
  }

  /// Returns the contents of a URL, decoded from JSON.
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
  /// Converts the error of a task. It is already a `URLError` unless a custom URL protocol created
  /// it.
  fileprivate init(_ error: (any Error)?) {
    self =
      error as? URLError
      ?? URLError(.unknown, userInfo: error.map { [NSUnderlyingErrorKey: $0] } ?? [:])
  }
}
