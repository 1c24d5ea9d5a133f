import Foundation
import RunnelStreams

extension StreamProtocol where Element: Encodable {
  /// Encodes each element as JSON with an encoder of Foundation.
  ///
  ///     source                              --1--2--∞---
  ///     encode(encoder: e, otherwise: f)    --1--2--X
  ///
  ///     api.loadUser().encode(encoder: JSONEncoder(), otherwise: { _ in .offline }).observe { show($0) }
  ///
  /// *Events*: an element that cannot be encoded fails the stream with the result of the closure,
  /// which receives the ``JSONFailure``.
  public func encode(
    encoder: JSONEncoder, otherwise failure: @escaping (JSONFailure) -> Failure
  ) -> EventStream<Data, Failure> {
    map { element throws(Failure) in
      do {
        return try encoder.encode(element)
      } catch {
        throw failure(.unwritable(error))
      }
    }
  }
}

extension StreamProtocol where Element: Encodable, Failure == Never {
  /// Encodes each element as JSON with an encoder of Foundation.
  ///
  ///     source                --1--2--∞---
  ///     encode(encoder: e)    --1--2--X
  ///
  ///     users.encode(encoder: JSONEncoder()).observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be encoded fails the stream with a ``JSONFailure``.
  public func encode(encoder: JSONEncoder) -> EventStream<Data, JSONFailure> {
    failing(with: JSONFailure.self).encode(encoder: encoder, otherwise: { $0 })
  }
}
