import RunnelNet
import RunnelStreams

/// Compresses the body of one response piece by piece.
final class GzipEncoder: PieceEncoder {
  private let level: Int
  private var deflater: Deflater?

  init(level: Int) {
    self.level = level
  }

  func encode(_ piece: [UInt8]) -> [UInt8] {
    let deflater = self.deflater ?? Deflater(.gzip, level: level)
    self.deflater = deflater
    var output: [UInt8] = []
    piece.withUnsafeBytes { deflater.compressAndFlush($0, into: &output) }
    return output
  }

  func finish() -> [UInt8] {
    let deflater = self.deflater ?? Deflater(.gzip, level: level)
    self.deflater = nil
    return deflater.finish()
  }

  /// Returns the pieces in their compressed form. Each can be decompressed when it arrives.
  func pieces(of stream: EventStream<[UInt8], any Error>) -> EventStream<[UInt8], any Error> {
    .deferred { [self] in
      deflater = nil
      return stream.filter { !$0.isEmpty }.map { [self] in encode($0) }
        .append(.deferred { [self] in .just(finish()) })
    }
  }
}
