import Runnel

/// A file of the web page, which is part of the program.
struct PageFile {
  let path: String
  let response: HTTPResponse

  static var all: [PageFile] {
    [
      PageFile("/", "text/html", PackageResources.board_html),
      PageFile("/board.css", "text/css", PackageResources.board_css),
      PageFile("/board.js", "text/javascript", PackageResources.board_js),
      PageFile("/stream.js", "text/javascript", PackageResources.stream_js),
    ]
  }

  /// The page runs its own script only, so that a post cannot bring another one.
  private static let policy =
    """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private init(_ path: String, _ type: String, _ bytes: [UInt8]) {
    self.path = path
    response = HTTPResponse(
      headers: [
        "Content-Type": "\(type); charset=utf-8", "Content-Security-Policy": Self.policy,
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-cache",
      ], body: HTTPBody(bytes))
  }
}
