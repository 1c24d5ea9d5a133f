import RunnelNet
import RunnelStreams

extension HTTPResponse {
  /// The response with its body decompressed, if it has `Content-Encoding: gzip`. A response with
  /// another encoding, or none, is returned as it is. So is one with the status 206, whose body is a
  /// part of the compressed bytes.
  ///
  ///     client.get("http://example.org/").map { $0.gunzipped(atMost: 10 << 20) }.text().observe(
  ///       succeeded: { show($0) }, failed: { show($0) })
  ///
  /// *Events*: a body with more decompressed bytes than the limit, 1 GiB by default, fails with
  /// `HTTPBodyError.tooLarge(limit:)`. It is decompressed as it is read. A body fails as malformed if
  /// its compressed bytes exceed 64 times the decompressed ones by 256 KiB.
  public func gunzipped(atMost limit: Int = 1 << 30) -> HTTPResponse {
    guard headers.contentCoding == .gzip, status != .partialContent, !body.isEmpty else {
      return self
    }
    var response = self
    response.body = body.gunzipped(atMost: limit)
    response.headers.becomeDecoded()
    return response
  }
}

extension HTTPClient {
  /// Asks servers for bodies in gzip, and decompresses them as they are read.
  ///
  ///     client.acceptGzip(atMost: 100 << 20)
  ///     client.get("http://example.org/").text().observe(
  ///       succeeded: { show($0) }, failed: { show($0) })
  ///
  /// A request with `Accept-Encoding` or `Range`, or of a client with such a field, is left alone,
  /// and so is its response. So are the requests of `events`.
  ///
  /// *Events*: a body with more decompressed bytes than the limit, 1 GiB by default, fails with
  /// `HTTPBodyError.tooLarge(limit:)`. A body whose compressed bytes bring almost nothing fails too:
  /// see `HTTPResponse.gunzipped(atMost:)`.
  public func acceptGzip(atMost limit: Int = 1 << 30) {
    accept(coding: "gzip") { $0.gunzipped(atMost: limit) }
  }
}

extension HTTPBody {
  /// The body decompressed, in pieces of at most 64 KiB.
  func gunzipped(atMost limit: Int) -> HTTPBody {
    if isEmpty { return self }
    let source = stream
    return HTTPBody(
      EventStream<[UInt8], any Error> { observer in
        let work = Disposable()
        let decoder = BodyInflater(limit: limit)
        source.start(
          in: work,
          next: { piece in
            do throws(HTTPBodyError) {
              try decoder.inflate(piece, while: { observer.isActive }) { observer.next($0) }
            } catch {
              work.dispose()
              observer.failed(error)
            }
          },
          end: { termination in
            if case .failed(let error) = termination { return observer.failed(error) }
            do throws(HTTPBodyError) {
              try decoder.finish()
              observer.completed()
            } catch {
              observer.failed(error)
            }
          })
        return work
      })
  }
}

/// Decompresses a body, up to a number of bytes.
private final class BodyInflater {
  private let inflater = Inflater(.gzip)
  private let limit: Int
  private var left: Int

  /// The number of compressed bytes that have brought nothing. Parts without contents can follow
  /// each other without an end, and the limit of decompressed bytes does not count them.
  private var barrenCount = 0

  private static let pieceSize = 1 << 16
  private static let mostBarren = 1 << 18
  /// The number of compressed bytes that a decompressed byte excuses. A part with one byte has about
  /// 20.
  private static let barrenRatio = 64

  init(limit: Int) {
    self.limit = limit
    left = limit
  }

  func inflate(
    _ bytes: [UInt8], while isActive: () -> Bool, _ take: ([UInt8]) -> Void
  ) throws(HTTPBodyError) {
    var offset = 0
    while (offset < bytes.count || inflater.mayHaveMore) && isActive() {
      let output: [UInt8]
      let start = offset
      do throws(GzipError) {
        // One byte more than allowed shows that there are too many.
        let most = min(left, Self.pieceSize - 1) + 1
        output = try inflater.inflate(bytes, &offset, atMost: most)
      } catch {
        throw .malformed("\(error)")
      }
      guard output.count <= left else { throw .tooLarge(limit: limit) }
      left -= output.count
      barrenCount = max(0, barrenCount + offset - start - Self.barrenRatio * output.count)
      if barrenCount > Self.mostBarren {
        throw .malformed("more than \(Self.mostBarren) compressed bytes without contents")
      }
      if !output.isEmpty { take(output) }
    }
  }

  func finish() throws(HTTPBodyError) {
    if !inflater.isComplete { throw .malformed("\(GzipError.truncated)") }
  }
}
