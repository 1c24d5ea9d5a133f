import RunnelStreams

extension StreamProtocol where Element == [UInt8] {
  /// Decodes each element from JSON.
  ///
  ///     source                             --1--x-------
  ///     decode(Int.self, otherwise: f)     --1--X
  ///
  ///     packets.failing(with: LoadError.self)
  ///       .decode(User.self, otherwise: { _ in .offline })
  ///       .observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with the result of the closure,
  /// which receives the ``JSONError``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, within limits: JSONLimits = JSONLimits(),
    otherwise failure: @escaping (JSONError) -> Failure
  ) -> EventStream<Value, Failure> {
    map { text throws(Failure) in
      do throws(JSONError) {
        return try JSON.decode(type, from: text, within: limits)
      } catch {
        throw failure(error)
      }
    }
  }
}

extension StreamProtocol where Element == [UInt8], Failure == Never {
  /// Decodes each element from JSON.
  ///
  ///     source             --1--x-------
  ///     decode(Int.self)   --1--X
  ///
  ///     packets.decode(User.self).observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with a ``JSONError``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, within limits: JSONLimits = JSONLimits()
  ) -> EventStream<Value, JSONError> {
    failing(with: JSONError.self).decode(type, within: limits, otherwise: { $0 })
  }
}

extension StreamProtocol where Element == String {
  /// Decodes each element from JSON.
  ///
  ///     source                             --1--x-------
  ///     decode(Int.self, otherwise: f)     --1--X
  ///
  ///     File().lines.decode(User.self, otherwise: { _ in .offline })
  ///       .observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with the result of the closure,
  /// which receives the ``JSONError``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, within limits: JSONLimits = JSONLimits(),
    otherwise failure: @escaping (JSONError) -> Failure
  ) -> EventStream<Value, Failure> {
    map { Array($0.utf8) }.decode(type, within: limits, otherwise: failure)
  }
}

extension StreamProtocol where Element == String, Failure == Never {
  /// Decodes each element, such as a line of a log, from JSON.
  ///
  ///     source             --1--x-------
  ///     decode(Int.self)   --1--X
  ///
  ///     lines.decode(User.self).observe(next: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: an element that cannot be decoded fails the stream with a ``JSONError``.
  public func decode<Value: Decodable>(
    _ type: Value.Type, within limits: JSONLimits = JSONLimits()
  ) -> EventStream<Value, JSONError> {
    map { Array($0.utf8) }.decode(type, within: limits)
  }
}
