import RunnelStreams

extension StreamProtocol where Element: Encodable {
  /// Encodes each element as JSON.
  ///
  ///     source                  --1--2--∞---
  ///     encode(otherwise: f)    --1--2--X
  ///
  ///     api.loadUser().encode(otherwise: { _ in .offline }).observe { show($0) }
  ///
  /// *Events*: an element that cannot be encoded fails the stream with the result of the closure,
  /// which receives the ``JSONError``.
  public func encode(
    within limits: JSONLimits = JSONLimits(), otherwise failure: @escaping (JSONError) -> Failure
  ) -> EventStream<[UInt8], Failure> {
    map { element throws(Failure) in
      do throws(JSONError) {
        return try JSON.encode(element, within: limits)
      } catch {
        throw failure(error)
      }
    }
  }
}

extension StreamProtocol where Element: Encodable, Failure == Never {
  /// Encodes each element as JSON.
  ///
  ///     source      --1--2--∞---
  ///     encode()    --1--2--X
  ///
  ///     users.encode().observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be encoded fails the stream with a ``JSONError``.
  public func encode(
    within limits: JSONLimits = JSONLimits()
  ) -> EventStream<[UInt8], JSONError> {
    failing(with: JSONError.self).encode(within: limits, otherwise: { $0 })
  }
}
