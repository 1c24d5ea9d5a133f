import Glibc
import RunnelGzip
import RunnelTesting
import TestSupport
import Testing

/// Random bytes with repetitions.
func repetitiveBytes(_ count: Int, seed: UInt64) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  var bytes: [UInt8] = []
  while bytes.count < count {
    if bytes.count > 10, Bool.random(using: &generator) {
      let start = Int.random(in: 0..<bytes.count - 8, using: &generator)
      bytes += bytes[start..<min(bytes.count, start + Int.random(in: 3...200, using: &generator))]
    } else {
      bytes.append(UInt8.random(in: 0...255, using: &generator))
    }
  }
  return Array(bytes.prefix(count))
}

/// Decompresses bytes in pieces of a size, at most a number of bytes at a time.
func inflate(
  _ bytes: [UInt8], _ format: DeflateFormat = .gzip, pieces size: Int = .max,
  atMost count: Int = 1_000
) throws(GzipError) -> [UInt8] {
  let inflater = Inflater(format)
  var output: [UInt8] = []
  var start = 0
  while start < bytes.count {
    let piece = Array(bytes[start...].prefix(size))
    start += piece.count
    var offset = 0
    while offset < piece.count || inflater.mayHaveMore {
      let part = try inflater.inflate(piece, &offset, atMost: count)
      #expect(part.count <= count)
      output += part
    }
  }
  try inflater.finish()
  return output
}

@Suite struct DeflaterTests {
  @Test(arguments: [DeflateFormat.gzip, .zlib, .raw], [0, 1, 100, 5_000, 200_000])
  func bytesSurviveBothDirections(_ format: DeflateFormat, _ count: Int) throws {
    let bytes = repetitiveBytes(count, seed: UInt64(count))
    for level in [0, 1, 6, 9] {
      let deflater = Deflater(format, level: level)
      var output: [UInt8] = []
      var start = 0
      while start < bytes.count {
        output += deflater.compress(Array(bytes[start...].prefix(777)))
        start += 777
      }
      output += deflater.finish()
      for size in [1, 7, 4_096, .max] where count < 10_000 || size > 1 {
        #expect(try inflate(output, format, pieces: size) == bytes)
        #expect(try inflate(output, format, pieces: size, atMost: 70_000) == bytes)
      }
    }
  }

  @Test func flushedPiecesCanBeReadAtOnce() throws {
    let deflater = Deflater()
    let inflater = Inflater()
    for number in 0..<50 {
      let piece = Array("piece \(number)".utf8)
      let output = deflater.compress(piece) + deflater.flush()
      var offset = 0
      #expect(try inflater.inflate(output, &offset, atMost: 1_000) == piece)
      #expect(offset == output.count)
    }
    #expect(!inflater.isComplete)
    let end = deflater.finish()
    var offset = 0
    #expect(try inflater.inflate(end, &offset, atMost: 1_000) == [])
    #expect(inflater.isComplete)
  }

  @Test func resetBeginsIndependentData() throws {
    let deflater = Deflater()
    let first = deflater.compress([1, 2, 3]) + deflater.finish()
    deflater.reset()
    let second = deflater.compress([4, 5]) + deflater.finish()
    #expect(try inflate(first) == [1, 2, 3])
    #expect(try inflate(second) == [4, 5])
    // Several parts in gzip are one.
    for size in [1, 5, .max] {
      #expect(try inflate(first + second, pieces: size) == [1, 2, 3, 4, 5])
    }
  }

  @Test("A bomb is decompressed no further than is asked for")
  func bombsAreBounded() throws {
    let deflater = Deflater(level: 9)
    var bomb: [UInt8] = []
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<64 { bomb += deflater.compress(zeros) }
    bomb += deflater.finish()
    #expect(bomb.count < 1 << 17)
    let inflater = Inflater()
    #expect(!inflater.mayHaveMore)
    var offset = 0
    #expect(try inflater.inflate(bomb, &offset, atMost: 1_000).count == 1_000)
    #expect(inflater.mayHaveMore)
    #expect(offset < bomb.count)
  }

  @Test func invalidDataAreRefused() throws {
    let deflater = Deflater()
    let valid = deflater.compress(Array("some text, some text".utf8)) + deflater.finish()
    for count in 0..<valid.count {
      #expect(throws: GzipError.truncated) { try inflate(Array(valid[..<count])) }
    }
    for index in valid.indices where index < 4 || index > valid.count - 9 {
      var broken = valid
      broken[index] ^= 0x40
      #expect(throws: GzipError.self) { try inflate(broken) }
    }
    #expect(throws: GzipError.self) { try inflate(valid + [1]) }
    #expect(throws: GzipError.self) { try inflate(Array("plain text".utf8)) }
  }

  @Test("Any bytes are decompressed or refused, without a trap", arguments: seeds(7))
  func randomBytesAreHarmless(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for format in [DeflateFormat.raw, .zlib, .gzip] {
        let whole = Result { () throws(GzipError) in try inflate(bytes, format) }
        let split = Result { () throws(GzipError) in
          try inflate(bytes, format, pieces: 1, atMost: 1)
        }
        #expect((try? whole.get()) == (try? split.get()), "seed \(seed)")
      }
    }
  }
}
