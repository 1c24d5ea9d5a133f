import RunnelNet
import RunnelStreams

/// A middleware of an `HTTPServer` that compresses responses or decompresses requests.
///
///     server.use(.gzip())
///     server.use(.gunzip())
public struct HTTPCoding {
  /// The middleware.
  public let middleware: HTTPMiddleware

  /// Returns a middleware that compresses responses with gzip.
  ///
  /// A response is compressed if the client accepts it, if it is text or another type that is worth
  /// it, and if it is not encoded already, not a part of a file, and without
  /// `Cache-Control: no-transform`. Streams are compressed piece by piece, and the client can read
  /// each piece when it arrives. Bodies of a known size are compressed at once, which blocks the
  /// loop, so only those up to `largest` bytes are: 1 MiB takes about 20 ms.
  ///
  /// `Vary: Accept-Encoding` is added, and an `ETag` becomes a weak one.
  ///
  /// Do not compress responses that contain both a secret and text of the request: the size of the
  /// response then betrays the secret (the attack BREACH).
  ///
  /// - Parameters:
  ///   - smallest: the size from which it is worth it.
  ///   - largest: the size up to which bodies of a known size are compressed.
  ///   - level: the effort, from 1, the fastest, to 9.
  public static func gzip(
    from smallest: Int = 1_024, upTo largest: Int = 1 << 20, level: Int = 6
  ) -> HTTPCoding {
    let compression = ResponseCompression(smallest: smallest, largest: largest, level: level)
    return HTTPCoding { request, next in
      let accepts = AcceptedCodings(request.headers).prefersGzip
      return next(request).map { compression.apply(to: $0, isAccepted: accepts) }
    }
  }

  /// Returns a middleware that decompresses the bodies of requests with `Content-Encoding: gzip`.
  ///
  /// A body with more than `limit` decompressed bytes fails with `HTTPBodyError.tooLarge(limit:)`,
  /// which is answered with 413. A request with another encoding is answered with 415.
  public static func gunzip(atMost limit: Int = 1 << 20) -> HTTPCoding {
    HTTPCoding { request, next in
      var request = request
      switch request.headers.contentCoding {
      case .identity: break
      case .gzip:
        request.body = request.body.gunzipped(atMost: limit)
        request.headers.becomeDecoded()
      case .unknown:
        let error = HTTPError(
          .unsupportedMediaType, "The encoding of the body is not known.",
          headers: ["Accept-Encoding": "gzip"])
        return HTTPReply(error.response)
      }
      return next(request)
    }
  }
}

extension HTTPRoutes {
  /// Adds a middleware that compresses responses or decompresses requests.
  ///
  ///     server.use(.gzip())
  public func use(_ coding: HTTPCoding) {
    use(coding.middleware)
  }
}

/// The rules by which responses are compressed.
private struct ResponseCompression {
  let smallest: Int
  let largest: Int
  let level: Int

  func apply(to response: HTTPResponse, isAccepted: Bool) -> HTTPResponse {
    var response = response
    if response.status.code == 304 {
      // The client has stored the compressed response, with the weak tag.
      if isAccepted { weakenTag(of: &response) }
      return response
    }
    guard response.status.code >= 200, response.status.code != 206,
      !response.headers.contains("Content-Range"), response.headers.contentCoding == .identity,
      isWorthwhile(response.headers["Content-Type"]),
      !response.headers.elements(of: "Cache-Control").contains(where: {
        $0.lowercased() == "no-transform"
      })
    else { return response }
    if let count = response.body.count, count < smallest || count > largest { return response }
    addVary(to: &response)
    guard isAccepted else { return response }
    if response.body.count == nil {
      let encoder = GzipEncoder(level: level)
      response.body = HTTPBody(encoder.pieces(of: response.body.stream))
      response.pieceEncoder = encoder
    } else {
      // Bytes and files are read at once.
      var bytes: [UInt8]?
      response.body.bytes(atMost: largest).observe(succeeded: { bytes = $0 }, failed: { _ in })
      guard let bytes else { return response }
      response.body = HTTPBody(Deflater.gzip(bytes, level: level))
    }
    response.headers["Content-Encoding"] = "gzip"
    response.headers.remove("Content-Length")
    response.headers.remove("Accept-Ranges")
    weakenTag(of: &response)
    return response
  }

  /// True for types that become much smaller.
  private func isWorthwhile(_ type: String?) -> Bool {
    guard let type else { return false }
    let essence = type.prefix { $0 != ";" && $0 != " " }.lowercased()
    if essence.hasPrefix("text/") || essence.hasSuffix("+json") || essence.hasSuffix("+xml") {
      return true
    }
    return [
      "application/json", "application/javascript", "application/xml", "application/x-ndjson",
      "application/wasm", "image/bmp", "image/x-icon", "font/ttf", "font/otf",
    ].contains(essence)
  }

  private func addVary(to response: inout HTTPResponse) {
    let names = response.headers.elements(of: "Vary").map { $0.lowercased() }
    if names.contains("*") || names.contains("accept-encoding") { return }
    response.headers.append("Vary", "Accept-Encoding")
  }

  private func weakenTag(of response: inout HTTPResponse) {
    guard let tag = response.headers["ETag"], !tag.hasPrefix("W/") else { return }
    response.headers["ETag"] = "W/" + tag
  }
}
