import RunnelStreams

/// The status of a response: a code of three digits and its usual name.
public struct HTTPStatus: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The code, such as 404.
  public let code: Int

  /// Creates a status. Traps if the code has not three digits; see ``init(exactly:)`` for codes from
  /// outside.
  public init(_ code: Int) {
    require(
      100..<1_000 ~= code,
      """
      The status of a response has three digits, not \(code). If the code comes from outside, use \
      HTTPStatus(exactly:), which returns nil.
      """)
    self.code = code
  }

  /// Creates a status with a code from outside, such as from a request or a file. Returns nil if the
  /// code has not three digits.
  public init?(exactly code: Int) {
    guard 100..<1_000 ~= code else { return nil }
    self.code = code
  }

  /// Creates a status. Traps if the code has not three digits.
  public init(integerLiteral code: Int) {
    self.init(code)
  }

  /// 200: the request has succeeded.
  public static let ok: Self = 200
  /// 201: a resource was created.
  public static let created: Self = 201
  /// 202: the request is accepted and will be processed later.
  public static let accepted: Self = 202
  /// 204: the request has succeeded, and there is no body.
  public static let noContent: Self = 204
  /// 206: the body is a part of the resource.
  public static let partialContent: Self = 206
  /// 301: the resource has another URL from now on.
  public static let movedPermanently: Self = 301
  /// 302: the resource has another URL at the moment.
  public static let found: Self = 302
  /// 303: the result is at another URL, to be requested with GET.
  public static let seeOther: Self = 303
  /// 304: the client's copy is still valid.
  public static let notModified: Self = 304
  /// 307: the request is to be repeated at another URL.
  public static let temporaryRedirect: Self = 307
  /// 308: the request is to be repeated at another URL, from now on.
  public static let permanentRedirect: Self = 308
  /// 400: the request is invalid.
  public static let badRequest: Self = 400
  /// 401: the client must authenticate itself.
  public static let unauthorized: Self = 401
  /// 403: the client may not do this.
  public static let forbidden: Self = 403
  /// 404: there is no such resource.
  public static let notFound: Self = 404
  /// 405: the resource does not have this method.
  public static let methodNotAllowed: Self = 405
  /// 406: the resource has no representation that the client accepts.
  public static let notAcceptable: Self = 406
  /// 408: the request did not arrive in time.
  public static let requestTimeout: Self = 408
  /// 409: the request conflicts with the state of the resource.
  public static let conflict: Self = 409
  /// 410: the resource was removed.
  public static let gone: Self = 410
  /// 412: a condition of the request is false.
  public static let preconditionFailed: Self = 412
  /// 413: the body is too large.
  public static let contentTooLarge: Self = 413
  /// 414: the target is too long.
  public static let uriTooLong: Self = 414
  /// 415: the type of the body is not supported.
  public static let unsupportedMediaType: Self = 415
  /// 416: the resource has no such range.
  public static let rangeNotSatisfiable: Self = 416
  /// 417: the expectation of the request is not supported.
  public static let expectationFailed: Self = 417
  /// 422: the body is well-formed and cannot be processed.
  public static let unprocessableContent: Self = 422
  /// 426: the client must use another protocol.
  public static let upgradeRequired: Self = 426
  /// 429: the client sends too many requests.
  public static let tooManyRequests: Self = 429
  /// 431: the headers are too large.
  public static let headersTooLarge: Self = 431
  /// 500: the server has failed.
  public static let internalServerError: Self = 500
  /// 501: the server does not know the method or the transfer coding.
  public static let notImplemented: Self = 501
  /// 502: the server behind this one has failed.
  public static let badGateway: Self = 502
  /// 503: the server is overloaded or shuts down.
  public static let serviceUnavailable: Self = 503
  /// 504: the server behind this one did not respond in time.
  public static let gatewayTimeout: Self = 504
  /// 505: the version of the protocol is not supported.
  public static let versionNotSupported: Self = 505

  /// True for the codes from 200 to 299.
  public var isSuccess: Bool { 200..<300 ~= code }

  var hasNoBody: Bool { code < 200 || code == 204 || code == 304 }

  /// The usual name, such as "Not Found"; empty if the code has none.
  public var reason: String {
    switch code {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 203: "Non-Authoritative Information"
    case 204: "No Content"
    case 205: "Reset Content"
    case 206: "Partial Content"
    case 300: "Multiple Choices"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 402: "Payment Required"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 425: "Too Early"
    case 426: "Upgrade Required"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 451: "Unavailable For Legal Reasons"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    case 511: "Network Authentication Required"
    default: ""
    }
  }
}

extension HTTPStatus: CustomStringConvertible {
  /// The code and the name, such as "404 Not Found".
  public var description: String { reason.isEmpty ? "\(code)" : "\(code) \(reason)" }
}
