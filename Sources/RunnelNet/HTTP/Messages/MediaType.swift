/// A media type, such as `text/html; charset=utf-8`.
///
///     show(request.contentType?.subtype ?? "none")
///
/// Names are compared without regard to case. `*` stands for any type or subtype in a list of
/// acceptable types.
public struct MediaType: Hashable, Sendable {
  /// The type, such as `text`, in small letters.
  public let type: String
  /// The subtype, such as `html`, in small letters.
  public let subtype: String
  /// The parameters, by their names in small letters.
  public let parameters: [String: String]

  /// Parses a media type. Returns nil if the text is invalid, or if a parameter occurs twice.
  public init?(_ text: String) {
    var rest = text[...].utf8
    rest.dropSpaces()
    guard let type = rest.popToken(), rest.popFirst() == UInt8(ascii: "/"),
      let subtype = rest.popToken(), let parameters = FieldParameters(rest, escapes: .all)
    else { return nil }
    self.type = type.lowercased()
    self.subtype = subtype.lowercased()
    self.parameters = Dictionary(parameters.pairs) { first, _ in first }
  }

  /// The type and the subtype, such as `text/html`.
  public var essence: String { "\(type)/\(subtype)" }

  /// True if the type is JSON, or a format that is written in JSON, such as
  /// `application/problem+json`.
  public var isJSON: Bool {
    (type == "application" || type == "text") && subtype == "json" || subtype.hasSuffix("+json")
  }

  /// True if the text of the type is in UTF-8, which is assumed if the type does not say it.
  public var isUTF8: Bool {
    guard let charset = parameters["charset"]?.lowercased() else { return true }
    return charset == "utf-8" || charset == "utf8" || charset == "us-ascii"
  }
}

extension MediaType: CustomStringConvertible {
  /// The type as it is sent.
  public var description: String {
    let suffix = parameters.sorted { $0.key < $1.key }.map { name, value in
      "; \(name)=\(value.isToken ? value : value.quoted)"
    }
    return essence + suffix.joined()
  }
}

extension HTTPHeaders {
  /// The value of `Content-Type`; nil if it is missing, invalid, or given twice.
  public var contentType: MediaType? {
    let values = values(of: "Content-Type")
    return values.count == 1 ? MediaType(values[0]) : nil
  }
}

extension HTTPRequest {
  /// The type of the body; nil if the header fields do not say it.
  public var contentType: MediaType? { headers.contentType }
}

extension HTTPResponse {
  /// The type of the body; nil if the header fields do not say it.
  public var contentType: MediaType? { headers.contentType }
}
