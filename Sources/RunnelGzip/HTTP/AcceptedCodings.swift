import RunnelNet

/// The codings that a client accepts, by RFC 9110, section 12.5.3.
struct AcceptedCodings {
  /// The weights of the codings that are named, in thousandths.
  private var weights: [String: Int] = [:]

  init(_ headers: HTTPHeaders) {
    for element in headers.elements(of: "Accept-Encoding") {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false)
      let name = Self.trimmed(parts[0]).lowercased()
      var weight = 1_000
      if let parameter = parts.dropFirst().first {
        // A weight that is not valid must not turn a coding on.
        weight = Self.weight(Self.trimmed(parameter)) ?? 0
      }
      weights[name == "x-gzip" ? "gzip" : name] = weight
    }
  }

  /// True if gzip is accepted, and is not less welcome than a body that is not encoded.
  var prefersGzip: Bool {
    let gzip = weights["gzip"] ?? weights["*"] ?? 0
    return gzip > 0 && gzip >= weights["identity"] ?? 0
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return start[...end]
  }

  /// Parses a weight such as `q=0.5`; nil if it is invalid.
  private static func weight(_ parameter: Substring) -> Int? {
    guard parameter.lowercased().hasPrefix("q=") else { return nil }
    let digits = Array(parameter.utf8.dropFirst(2))
    guard let first = digits.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1"),
      digits.count <= 5, digits.count == 1 || digits[1] == UInt8(ascii: ".")
    else { return nil }
    var weight = Int(first - UInt8(ascii: "0"))
    for index in 2..<5 {
      let digit = index < digits.count ? digits[index] : UInt8(ascii: "0")
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      weight = weight * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return weight <= 1_000 ? weight : nil
  }
}

/// The coding of a message's body.
enum ContentCoding {
  case identity
  case gzip
  /// Another coding, or several.
  case unknown
}

extension HTTPHeaders {
  var contentCoding: ContentCoding {
    let codings = elements(of: "Content-Encoding").map { $0.lowercased() }
      .filter { $0 != "identity" }
    switch codings {
    case []: return .identity
    case ["gzip"], ["x-gzip"]: return .gzip
    default: return .unknown
    }
  }

  /// Removes the fields that describe the encoded body.
  mutating func becomeDecoded() {
    remove("Content-Encoding")
    remove("Content-Length")
  }
}
