/// The values by which a client knows a version of a file: its tag and its date.
struct Validators {
  /// The tag with its quotation marks, such as `"1a-2b"`.
  let tag: String
  let date: HTTPDate
  /// True if no other version can have the same date.
  let dateIsStrong: Bool

  /// The result of the conditions of a request.
  enum Outcome {
    case proceed
    case notModified
    case failed
  }

  /// Evaluates the conditions of a request in the order of RFC 9110, section 13.2.2. A date that
  /// cannot be read is ignored.
  func evaluate(_ request: HTTPRequest) -> Outcome {
    let headers = request.headers
    if headers.contains("If-Match") {
      // A weak tag never matches here.
      let isMatch = headers.elements(of: "If-Match").contains { $0 == "*" || $0 == tag }
      if !isMatch { return .failed }
    } else if let limit = headers.date("If-Unmodified-Since"), date > limit {
      return .failed
    }
    let onlyReads = request.method == .get || request.method == .head
    if headers.contains("If-None-Match") {
      let isMatch = headers.elements(of: "If-None-Match").contains { other in
        other == "*" || other == tag || other == "W/" + tag
      }
      if isMatch { return onlyReads ? .notModified : .failed }
    } else if onlyReads, let known = headers.date("If-Modified-Since"), date <= known {
      return .notModified
    }
    return .proceed
  }

  /// Returns false if `If-Range` names another version, so that the whole file must be sent.
  func allowRange(_ headers: HTTPHeaders) -> Bool {
    let values = headers.values(of: "If-Range")
    guard let value = values.first else { return true }
    if values.count > 1 { return false }
    if value.utf8.first == UInt8(ascii: "\"") { return value == tag }
    return dateIsStrong && HTTPDate(value) == date
  }
}

extension HTTPHeaders {
  /// The date of a field; nil if it is missing, invalid, or given twice.
  fileprivate func date(_ name: String) -> HTTPDate? {
    let values = values(of: name)
    return values.count == 1 ? HTTPDate(values[0]) : nil
  }
}
