/// A compression of the pieces of a response's body. The server also passes its own pieces through
/// it: comments that keep a stream of events alive, and the end when the server drains.
package protocol PieceEncoder: AnyObject {
  /// Returns the bytes of a piece, which the client can decode at once.
  func encode(_ piece: [UInt8]) -> [UInt8]

  /// Returns the bytes of the end.
  func finish() -> [UInt8]
}
