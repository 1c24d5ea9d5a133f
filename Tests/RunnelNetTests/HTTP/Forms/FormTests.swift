import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct FormTests {
  private func post(_ type: String?, _ text: String) -> HTTPRequest {
    var request = HTTPRequest("/", type.map { [("Content-Type", $0)] } ?? [], method: .post)
    request.body = HTTPBody(text)
    return request
  }

  private let form = "application/x-www-form-urlencoded"

  @Test func formsAreDecoded() throws {
    for type in [form, form + "; charset=UTF-8", "Application/X-WWW-Form-URLEncoded"] {
      let values = try result(of: post(type, "a=1&b=%C3%A9+x%26&c&a=2").form())
      #expect(values.pairs.map { "\($0.name)=\($0.value)" } == ["a=1", "b=é x&", "c=", "a=2"])
    }
    #expect(try result(of: post(form, "").form()).pairs.isEmpty)
  }

  @Test func otherTypesAreRefused() throws {
    for type in [nil, "text/plain", "application/json", form + "; charset=latin1", "x"] {
      let answer = try response(to: post(type, "a=1")) {
        $0.post("/") { $0.form().map { _ in "" } }
      }
      #expect(answer.status == .unsupportedMediaType)
    }
  }

  @Test func largeAndInvalidFormsAreRefused() throws {
    func status(_ request: HTTPRequest) throws -> HTTPStatus {
      try response(to: request) { $0.post("/") { $0.form(atMost: 3_000).map { _ in "" } } }.status
    }
    #expect(try status(post(form, String(repeating: "a", count: 3_000))) == 200)
    #expect(try status(post(form, String(repeating: "a", count: 3_001))) == 413)
    #expect(try status(post(form, String(repeating: "a&", count: 999))) == 200)
    #expect(try status(post(form, String(repeating: "a&", count: 1_000))) == 413)
    var request = post(form, "")
    request.body = HTTPBody([97, 61, 0xFF])
    #expect(try status(request) == 400)
  }
}

@Suite struct MultipartTests {
  private func request(_ body: [UInt8], boundary: String = "b", pieces size: Int) -> HTTPRequest {
    var request = HTTPRequest(
      "/", [("Content-Type", "multipart/form-data; boundary=\(boundary)")], method: .post)
    let pieces = stride(from: 0, to: body.count, by: size).map {
      Array(body[$0..<min($0 + size, body.count)])
    }
    request.body = HTTPBody(EventStream<[UInt8], Never>.sequence(pieces))
    return request
  }

  private func part(_ head: String, _ content: [UInt8]) -> [UInt8] {
    Array("--b\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + content + [13, 10]
  }

  private let end = Array("--b--\r\n".utf8)

  @Test func smallPartsAreInMemoryAndLargeInFiles() throws {
    let folder = TemporaryFolder()
    var limits = MultipartLimits()
    limits.memory = 100
    limits.folder = folder.path
    let large = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    let exact = [UInt8](repeating: 1, count: 100)
    let body =
      part("name=title", Array("héllo".utf8)) + part("name=f; filename=\"x.bin\"", large)
      + part("name=exact", exact) + part("name=g; filename=\"\"", []) + end
    for size in [1, 2, 7, 64, 100_000] {
      var form: MultipartForm? = try result(of: request(body, pieces: size).multipart(limits))
      let parts = try #require(form?.parts)
      #expect(parts.map(\.name) == ["title", "f", "exact", "g"])
      #expect(parts.map(\.count) == [6, 1_000, 100, 0])
      #expect(parts.map(\.isFile) == [false, true, false, true])
      #expect(parts.map(\.fileName) == [nil, "x.bin", nil, nil])
      #expect(form?.text("title") == "héllo")
      #expect(form?["exact"]?.bytes == exact)
      #expect(form?["f"]?.bytes == nil && form?.text("f") == nil && form?["none"] == nil)
      #expect(bytes(of: parts[1].body) == large)
      #expect(bytes(of: parts[1].body) == large)
      // Nothing has a name, and nothing stays open.
      #expect(rmdir(folder.path) == 0)
      mkdir(folder.path, 0o700)
      #expect(openFiles(in: folder.path).count == 1)
      form = nil
    }
    #expect(openFiles(in: folder.path).isEmpty)
  }

  @Test func partsAreSavedToNewFiles() throws {
    let folder = TemporaryFolder()
    var limits = MultipartLimits()
    limits.memory = 10
    let large = [UInt8](repeating: 7, count: 200_000)
    let body = part("name=a", [1, 2]) + part("name=b", large) + part("name=c", []) + end
    let form = try result(of: request(body, pieces: 65_536).multipart(limits))
    for (name, size) in [("a", 2), ("b", 200_000), ("c", 0)] {
      try form[name]?.save(to: folder[name])
      var status = stat()
      #expect(stat(folder[name], &status) == 0 && status.st_size == size)
      #expect(throws: (any Error).self) { try form[name]?.save(to: folder[name]) }
      #expect(stat(folder[name], &status) == 0 && status.st_size == size)
    }
    #expect(throws: (any Error).self) { try form["a"]?.save(to: folder["no/where"]) }
    // The system would understand the name before the zero byte.
    #expect(throws: DescriptorError.system(EINVAL)) { try form["a"]?.save(to: folder["d\0.png"]) }
    var status = stat()
    #expect(stat(folder["d"], &status) != 0)
  }

  @Test(
    arguments: [
      ("a.txt", "a.txt"), ("C:\\fakepath\\a.txt", "a.txt"), ("/etc/passwd", "passwd"),
      ("../../x", "x"), ("..", nil), (".", nil), ("", nil), ("a/", "a"), ("/", nil),
      ("..\\..\\y", "y"), ("é ü.png", "é ü.png"), (".htaccess", ".htaccess"), ("a\tb\u{85}", "ab"),
    ] as [(String, String?)])
  func fileNamesLoseTheirPath(_ name: String, _ expected: String?) throws {
    let body = part("name=f; filename=\"\(name)\"", []) + end
    let form = try result(of: request(body, pieces: 1_000).multipart())
    #expect(form["f"]?.fileName == expected)
  }

  @Test func badFormsAreAnsweredWithTheirStatus() throws {
    func status(_ type: String?, _ text: String, _ limits: MultipartLimits) throws -> HTTPStatus {
      var request = HTTPRequest("/", type.map { [("Content-Type", $0)] } ?? [], method: .post)
      request.body = HTTPBody(text)
      return try response(to: request) { $0.post("/") { $0.multipart(limits).map { _ in "" } } }
        .status
    }
    let type = "multipart/form-data; boundary=b"
    var limits = MultipartLimits()
    #expect(try status(type, "--b--", limits) == 200)
    #expect(try status(nil, "--b--", limits) == 415)
    #expect(try status("multipart/mixed; boundary=b", "--b--", limits) == 415)
    #expect(try status("multipart/form-data", "--b--", limits) == 400)
    #expect(try status("multipart/form-data; boundary=\"b \"", "--b --", limits) == 400)
    #expect(try status(type, "--b", limits) == 400)
    #expect(try status(type, "", limits) == 400)
    limits.total = 5
    #expect(try status(type, "--b--", limits) == 200)
    #expect(try status(type, "--b--\r", limits) == 413)
    limits.parts = 0
    limits.total = 1_000
    let form = String(decoding: part("name=a", [97, 97]) + end, as: UTF8.self)
    #expect(try status(type, form, limits) == 413)
    limits.parts = 1
    limits.memory = 1
    limits.folder = "/nowhere"
    #expect(try status(type, form, limits) == 500)
  }

  @Test func formsArriveOverConnectionsInPieces() throws {
    let body = part("name=a", Array("one".utf8)) + part("name=b; filename=c", [120]) + end
    for size in [1, 2, 7, 100_000] {
      let received = try answer(
        to: "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
          + "Content-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self),
        pieces: size
      ) {
        $0.post("/") { request in
          request.multipart().map { "\($0.text("a") ?? "")+\($0["b"]?.fileName ?? "")" }
        }
      }
      #expect(parts(of: received).body == "one+c")
    }
  }

  @Test func lostClientRemovesTheTemporaryFile() throws {
    let folder = TemporaryFolder()
    var limits = MultipartLimits()
    limits.memory = 100
    limits.folder = folder.path
    let pair = try Pair()
    let server = HTTPServer(on: pair.network)
    var isAnswered = false
    server.post("/") { request in
      request.multipart(limits).map { _ in
        isAnswered = true
        return ""
      }
    }
    server.serve(pair.far)
    _ = pair.near.write(
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        + "Content-Length: 5000\r\n\r\n")
    _ = pair.near.write(part("name=f; filename=x", [UInt8](repeating: 1, count: 1_000)))
    pair.scheduler.advance(by: .milliseconds(10))
    #expect(openFiles(in: folder.path).count == 1)
    pair.near.reset()
    pair.scheduler.advance(by: .milliseconds(10))
    #expect(openFiles(in: folder.path).isEmpty && !isAnswered)
  }

  @Test func curlSendsFormsAndFiles() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.write("small.txt", "small")
      folder.write("large.bin", String(repeating: "0123456789\r\n--\r\n", count: 20_000))
      let fixture = HTTPFixture(on: loop) { server in
        server.limits.body = 10 << 20
        server.post("/multipart") { request in
          request.multipart().map { form in
            form.parts.map {
              "\($0.name) \($0.fileName ?? "-") \($0.contentType?.essence ?? "-") \($0.count) \($0.bytes != nil)"
            }.joined(separator: "\n")
          }
        }
        server.post("/form") { $0.form().map { $0["a"] ?? "none" } }
      }
      func curl(_ arguments: String, _ path: String) -> String {
        shell("curl -s --max-time 20 \(arguments) \(fixture.url(path))")
      }
      let answer = curl(
        "-F title=héllo -F 's=@\(folder["small.txt"]);type=text/x' -F 'l=@\(folder["large.bin"])'",
        "/multipart")
      #expect(
        answer == """
          title - - 6 true
          s small.txt text/x 5 true
          l large.bin application/octet-stream 320000 false
          """)
      #expect(curl("-d a=1 -d b=2", "/form") == "1")
      #expect(curl("--data-urlencode 'a=x y&z'", "/form") == "x y&z")
      #expect(curl("-w %{http_code} -H 'Content-Type: a/b' -d x", "/form").hasSuffix("415"))
    }
  }
}
