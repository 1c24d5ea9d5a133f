import CZlib

/// Compresses bytes that come in pieces.
///
///     let deflater = Deflater(.gzip)
///     var output = deflater.compress(first)
///     output += deflater.flush()  // the receiver can read all so far
///     output += deflater.finish()
///     show(output.count)
///
/// It keeps up to about 270 KiB of memory: 2^(`window` + 2) and 2^(`memory` + 9) bytes.
public final class Deflater {
  // Safety: allocated by the initializer, and freed with this object, which alone uses it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a compressor.
  ///
  /// - Parameters:
  ///   - level: the effort, from 1, the fastest, to 9. 0 does not compress.
  ///   - window: the number of bits of the distance over which repetitions are found, from 9 to 15.
  ///   - memory: the memory for the state, from 1 to 9.
  public init(_ format: DeflateFormat = .gzip, level: Int = 6, window: Int = 15, memory: Int = 8) {
    precondition(
      0...9 ~= level && 9...15 ~= window && 1...9 ~= memory,
      "A Deflater has a level from 0 to 9, a window from 9 to 15, and a memory from 1 to 9.")
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = runnel_deflate_begin(
      stream, Int32(level), format.bits(window: window), Int32(memory))
    precondition(status == Z_OK, "There is no memory for a Deflater.")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses bytes. The result may be empty, because bytes are collected.
  public func compress(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    bytes.withUnsafeBytes { run($0, Z_NO_FLUSH, into: &output) }
    return output
  }

  /// Returns what is missing so that the receiver can decompress all bytes so far.
  public func flush() -> [UInt8] {
    var output: [UInt8] = []
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_SYNC_FLUSH, into: &output)
    return output
  }

  /// Ends the data. After that, ``reset()`` must be called before other bytes are compressed.
  public func finish() -> [UInt8] {
    var output: [UInt8] = []
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, into: &output)
    return output
  }

  /// Begins new data, which do not depend on those before.
  public func reset() {
    deflateReset(stream)
  }

  /// Compresses bytes and flushes them, to the end of an array.
  func compressAndFlush(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    run(bytes, Z_SYNC_FLUSH, into: &output)
  }

  /// Compresses all bytes at once.
  static func gzip(_ bytes: [UInt8], level: Int) -> [UInt8] {
    let deflater = Deflater(.gzip, level: level)
    var output: [UInt8] = []
    bytes.withUnsafeBytes { deflater.run($0, Z_FINISH, into: &output) }
    return output
  }

  private static let pieceSize = 1 << 14

  private func run(_ bytes: UnsafeRawBufferPointer, _ flush: Int32, into output: inout [UInt8]) {
    // zlib counts in 32 bits.
    var rest = bytes
    repeat {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      // Safety: zlib only reads the input, and no longer than during this call.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = UInt32(part.count)
      repeat {
        withUnsafeTemporaryAllocation(byteCount: Self.pieceSize, alignment: 16) { buffer in
          // Safety: zlib writes into the buffer during this call only.
          stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
          stream.pointee.avail_out = UInt32(buffer.count)
          deflate(stream, rest.isEmpty ? flush : Z_NO_FLUSH)
          let count = buffer.count - Int(stream.pointee.avail_out)
          output.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      } while stream.pointee.avail_out == 0
    } while !rest.isEmpty
    stream.pointee.next_in = nil
    stream.pointee.next_out = nil
  }
}
