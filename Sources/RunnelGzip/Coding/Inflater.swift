import CZlib

// `RunnelDesk` decodes images by a `ZlibDecoder` of its own, because it links no library of C.

/// Decompresses bytes that come in pieces, and as many at a time as are asked for.
///
///     let inflater = Inflater(.gzip)
///     var offset = 0
///     while offset < piece.count || inflater.mayHaveMore {
///       show(try inflater.inflate(piece, &offset, atMost: 65_536))
///     }
///
/// A few compressed bytes can stand for a thousand times as many. Nothing is decompressed beyond
/// the number that a call allows, so the caller decides when there are too many.
public final class Inflater {
  // Safety: allocated by the initializer, and freed with this object, which alone uses it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let format: DeflateFormat
  /// True if the data are complete. Several parts in gzip that follow each other are one.
  public private(set) var isComplete = false
  /// True if bytes that were taken may still give more.
  public private(set) var mayHaveMore = false
  /// The number of further parts in the raw format that may follow a complete one. Each costs a copy
  /// of the window, and can have two bytes.
  var partsLeft = Int.max

  /// Creates a decompressor. The window has as many bits as that of the compressor, or more.
  public init(_ format: DeflateFormat = .gzip, window: Int = 15) {
    precondition(9...15 ~= window, "An Inflater has a window from 9 to 15.")
    self.format = format
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = runnel_inflate_begin(stream, format.bits(window: window))
    precondition(status == Z_OK, "There is no memory for an Inflater.")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Decompresses bytes from an offset, which is moved behind those that are used up. Returns at most
  /// as many bytes as are asked for.
  public func inflate(
    _ bytes: [UInt8], _ offset: inout Int, atMost count: Int
  ) throws(GzipError) -> [UInt8] {
    var output: [UInt8] = []
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(GzipError) in
        try inflate(bytes, &offset, into: &output, atMost: count)
      }
    }
    try result.get()
    return output
  }

  /// Throws ``GzipError/truncated`` if the data are not complete.
  public func finish() throws(GzipError) {
    if !isComplete { throw .truncated }
  }

  /// Begins new data.
  func reset() {
    inflateReset(stream)
    isComplete = false
    mayHaveMore = false
  }

  private static let pieceSize = 1 << 14

  /// Decompresses bytes to the end of an array.
  func inflate(
    _ bytes: UnsafeRawBufferPointer, _ offset: inout Int, into output: inout [UInt8],
    atMost count: Int
  ) throws(GzipError) {
    var left = count
    while left > 0 && (offset < bytes.count || mayHaveMore) {
      if isComplete {
        guard offset < bytes.count else { return mayHaveMore = false }
        try begin()
      }
      let part = UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(1 << 30))
      // Safety: zlib only reads the input, and no longer than during this call.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: part.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = UInt32(part.count)
      let status = withUnsafeTemporaryAllocation(
        byteCount: min(left, Self.pieceSize), alignment: 16
      ) { buffer in
        // Safety: zlib writes into the buffer during this call only.
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(buffer.count)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let produced = buffer.count - Int(stream.pointee.avail_out)
        left -= produced
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<produced]))
        return status
      }
      offset += part.count - Int(stream.pointee.avail_in)
      mayHaveMore = stream.pointee.avail_out == 0
      stream.pointee.next_in = nil
      stream.pointee.next_out = nil
      switch status {
      case Z_OK: break
      case Z_STREAM_END:
        isComplete = true
        mayHaveMore = false
      case Z_BUF_ERROR:
        // Nothing is left to do with the bytes so far.
        mayHaveMore = false
        guard offset == bytes.count else { throw .corrupted("no progress") }
      default: throw .corrupted(message(status))
      }
    }
  }

  /// Begins the data that follow complete ones.
  private func begin() throws(GzipError) {
    switch format {
    case .gzip: reset()
    case .raw:
      if partsLeft == 0 { throw .corrupted("too many parts") }
      partsLeft -= 1
      restart()
    case .zlib: throw .corrupted("there are bytes after the end")
    }
  }

  /// Begins raw data that may refer to those before.
  private func restart() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 15, alignment: 16) { buffer in
      // Safety: a window has at most 32 KiB, and zlib copies it.
      let window = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      var count: UInt32 = 0
      inflateGetDictionary(stream, window, &count)
      reset()
      if count > 0 { inflateSetDictionary(stream, window, count) }
    }
  }

  private func message(_ status: Int32) -> String {
    if let text = stream.pointee.msg { return String(cString: text) }
    return status == Z_NEED_DICT ? "a dictionary is needed" : "error \(status) of zlib"
  }
}
