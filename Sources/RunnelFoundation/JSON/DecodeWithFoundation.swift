import Foundation
import RunnelStreams

extension StreamProtocol where Element == Data {
  /// Decodes each element from JSON with a decoder of Foundation.
  ///
  ///     source                                         --1--x-------
  ///     decode(Int.self, decoder: d, otherwise: f)     --1--X
  ///
  ///     replies.failing(with: LoadError.self)
  ///       .decode(User.self, decoder: JSONDecoder(), otherwise: { _ in .offline })
  ///       .observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with the result of the closure,
  /// which receives the ``JSONFailure``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, decoder: JSONDecoder,
    otherwise failure: @escaping (JSONFailure) -> Failure
  ) -> EventStream<Value, Failure> {
    map { json throws(Failure) in
      do {
        return try decoder.decode(type, from: json)
      } catch {
        throw failure(.unreadable(json, error))
      }
    }
  }
}

extension StreamProtocol where Element == Data, Failure == Never {
  /// Decodes each element from JSON with a decoder of Foundation.
  ///
  ///     source                         --1--x-------
  ///     decode(Int.self, decoder: d)   --1--X
  ///
  ///     replies.decode(User.self, decoder: JSONDecoder())
  ///       .observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with a ``JSONFailure`` that
  /// contains it.
  public func decode<Value: Decodable>(
    _ type: Value.Type, decoder: JSONDecoder
  ) -> EventStream<Value, JSONFailure> {
    failing(with: JSONFailure.self).decode(type, decoder: decoder, otherwise: { $0 })
  }
}

extension StreamProtocol where Element == String {
  /// Decodes each element from JSON with a decoder of Foundation.
  ///
  ///     source                                         --1--x-------
  ///     decode(Int.self, decoder: d, otherwise: f)     --1--X
  ///
  ///     File().lines.decode(User.self, decoder: JSONDecoder(), otherwise: { _ in .offline })
  ///       .observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with the result of the closure,
  /// which receives the ``JSONFailure``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, decoder: JSONDecoder,
    otherwise failure: @escaping (JSONFailure) -> Failure
  ) -> EventStream<Value, Failure> {
    map { Data($0.utf8) }.decode(type, decoder: decoder, otherwise: failure)
  }
}

extension StreamProtocol where Element == String, Failure == Never {
  /// Decodes each element, such as a line of a log, from JSON with a decoder of Foundation.
  ///
  ///     source                         --1--x-------
  ///     decode(Int.self, decoder: d)   --1--X
  ///
  ///     lines.decode(User.self, decoder: JSONDecoder()).observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with a ``JSONFailure`` that
  /// contains it.
  public func decode<Value: Decodable>(
    _ type: Value.Type, decoder: JSONDecoder
  ) -> EventStream<Value, JSONFailure> {
    map { Data($0.utf8) }.decode(type, decoder: decoder)
  }
}
