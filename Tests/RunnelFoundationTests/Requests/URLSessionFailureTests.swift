import Foundation
import FoundationNetworking
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct URLSessionFailureTests {
  // MARK: Responses

  @Test(arguments: [300, 304, 400, 404, 500, 599])
  func unsuccessfulStatusFailsWithBody(_ status: Int) async {
    let failures = await withServer { server, home in
      let rx = session().rx
      let url = server.url("/status/\(status)")
      return [
        reason(of: rx.data(url: url).map { _ in }, at: home),
        reason(of: rx.string(url: url).map { _ in }, at: home),
        reason(of: rx.json(Int.self, url: url).map { _ in }, at: home),
      ]
    }
    for failure in failures {
      guard case .status(let response, let body) = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
      #expect(response.statusCode == status)
      // A response with status 304 has no body.
      #expect(text(body) == (status == 304 ? "" : "status \(status)"))
    }
  }

  /// Also if the server asks for a password, for which Foundation would wait.
  @Test(arguments: ["Basic", "Digest", "Bearer"])
  func unauthorizedFails(_ scheme: String) async {
    let failure = await withServer { server, home in
      reason(of: session().rx.data(url: server.url("/unauthorized/\(scheme)")), at: home)
    }
    guard case .status(let response, let body) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(response.statusCode == 401)
    #expect(response.value(forHTTPHeaderField: "WWW-Authenticate")?.hasPrefix(scheme) == true)
    #expect(text(body) == "who are you?" || scheme == "Basic" && body.isEmpty)
  }

  @Test(arguments: [("utf-8", "latin-1"), ("klingon", "utf-8"), ("us-ascii", "utf-8")])
  func undecodableTextFailsWithBody(_ name: String, _ encoding: String) async {
    let failure = await withServer { server, home in
      reason(of: session().rx.string(url: server.url("/text/\(name)/\(encoding)")), at: home)
    }
    guard case .notText(let charset, let body) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(charset == name)
    #expect(body.count == (encoding == "utf-8" ? 7 : 5))
  }

  @Test(arguments: ["", "%7B", "%22one%22"])
  func undecodableJSONFailsWithBody(_ json: String) async {
    let failure = await withServer { server, home in
      reason(of: session().rx.json(Int.self, url: server.url("/json/\(json)")), at: home)
    }
    guard case .undecodable(let error, let body) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error is DecodingError)
    #expect(text(body) == json.removingPercentEncoding)
  }

  // MARK: Transport

  @Test(arguments: ["/half", "/halfchunk", "/nothing", "/garbage"])
  func incompleteResponseFails(_ path: String) async {
    let failure = await withServer { server, home in
      reason(of: session().rx.response(url: server.url(path)).map { _ in }, at: home)
    }
    guard case .transport = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  @Test func refusedConnectionFails() async {
    let failure = await withServer { server, home in
      reason(of: session().rx.data(url: server.refusing), at: home)
    }
    #expect(failure?.code == .cannotConnectToHost)
  }

  @Test func timeoutFails() async {
    let (failure, lines) = await withServer { server, home in
      var request = URLRequest(url: server.url("/slow"))
      request.timeoutInterval = 1
      let failure = reason(of: session().rx.data(request: request), at: home)
      return (failure, [server.nextLine(), server.nextLine()])
    }
    #expect(failure?.code == .timedOut)
    #expect(lines == ["GET /slow", "left /slow"])
  }

  @Test func invalidatedSessionFails() async {
    let failure = await withServer { server, home in
      let session = session()
      let recorder = session.rx.data(url: server.url("/slow")).stream.record()
      _ = server.nextLine()
      session.invalidateAndCancel()
      home.run(until: { recorder.termination != nil })
      return recorder.failure
    }
    #expect(failure?.code == .cancelled)
  }

  @Test func endlessRedirectsFail() async {
    let failure = await withServer { server, home in
      reason(of: session().rx.data(url: server.url("/circle")), at: home)
    }
    #expect(failure?.code == .httpTooManyRedirects)
  }

  @Test(arguments: ["nonsense", "http://", "http:///x", "gopher://x/y", "http://127.0.0.1:99999/"])
  func unusableURLFails(_ address: String) async throws {
    let url = try #require(URL(string: address))
    let failure = await ManualContext.onThread { home in
      reason(of: session().rx.data(url: url), at: home)
    }
    #expect(failure?.code == .unsupportedURL || failure?.code == .badURL)
  }

  @Test func requestWithoutURLFails() async {
    let failure = await ManualContext.onThread { home in
      reason(of: session().rx.data(request: noURL), at: home)
    }
    #expect(failure?.code == .unsupportedURL)
  }

  @Test func otherProtocolFails() async throws {
    let url = try #require(URL(string: "data:text/plain,hello"))
    let failure = await ManualContext.onThread { home in
      reason(of: session().rx.response(url: url).map { _ in }, at: home)
    }
    guard case .notHTTP(let response) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(response.url == url)
  }

  /// A custom URL protocol may fail with any error.
  @Test func errorOfCustomProtocolIsKept() async throws {
    let url = try #require(URL(string: "strange://x"))
    let failure = await ManualContext.onThread { home in
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [FailingProtocol.self]
      return reason(of: URLSession(configuration: configuration).rx.data(url: url), at: home)
    }
    guard case .transport(let error) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(error.code == .unknown)
    #expect(error.userInfo[NSUnderlyingErrorKey] is FailingProtocol.CustomError)
  }

  // MARK: Descriptions

  @Test func descriptionNamesCause() throws {
    struct Fault: Error {}
    let url = try #require(URL(string: "data:,x"))
    let gone = HTTPURLResponse(url: url, statusCode: 410, httpVersion: nil, headerFields: nil)
    let plain = URLResponse(
      url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
    let body = Data("abc".utf8)
    let failures: [URLSessionFailure] = [
      .transport(URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "too late"])),
      .notHTTP(plain), .status(try #require(gone), body: body),
      .notText(charset: "klingon", body: body), .undecodable(Fault(), body: body),
    ]
    #expect(
      failures.map { "\($0)" } == [
        "The request got no answer: too late", "No HTTP server answered: data",
        "The server answered with status 410 and 3 bytes.",
        "The 3 bytes are no text in klingon.", "The 3 bytes cannot be read as JSON: Fault()",
      ])
  }

  private func reason<Element>(
    of single: Single<Element, URLSessionFailure>, at home: ManualContext
  ) -> URLSessionFailure? {
    let recorder = single.stream.record()
    home.run(until: { recorder.termination != nil })
    return recorder.failure
  }
}

extension URLSessionFailure {
  /// The code of a transport error, or nil for other failures.
  fileprivate var code: URLError.Code? {
    if case .transport(let error) = self { error.code } else { nil }
  }
}

/// A URL protocol that fails each request.
private final class FailingProtocol: URLProtocol {
  struct CustomError: Error {}

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() { client?.urlProtocol(self, didFailWithError: CustomError()) }
  override func stopLoading() {}
}
