import Glibc
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

@Suite struct FileServingTests {
  private let folder = TemporaryFolder()

  private func serve(_ requestText: String) throws -> (head: [Substring], body: String) {
    parts(
      of: try answer(to: requestText.split(separator: "\n").joined(separator: "\r\n") + "\r\n\r\n")
      {
        $0.files("/f", in: folder.path)
      })
  }

  @Test func filesRangesAndHeadsAreSent() throws {
    folder.write("a.txt", "0123456789")
    var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
    utimensat(AT_FDCWD, folder["a.txt"], &times, 0)
    var (head, body) = try serve("GET /f/a.txt HTTP/1.1\nHost: a")
    #expect(head.first == "HTTP/1.1 200 OK" && body == "0123456789")
    #expect(head.contains("Content-Length: 10") && head.contains("Accept-Ranges: bytes"))
    (head, body) = try serve("GET /f/a.txt HTTP/1.1\nHost: a\nRange: bytes=2-4")
    #expect(head.first == "HTTP/1.1 206 Partial Content" && body == "234")
    #expect(head.contains("Content-Range: bytes 2-4/10") && head.contains("Content-Length: 3"))
    (head, body) = try serve("GET /f/a.txt HTTP/1.1\nHost: a\nRange: bytes=10-")
    #expect(head.first == "HTTP/1.1 416 Range Not Satisfiable")
    #expect(head.contains("Content-Range: bytes */10"))
    (head, body) = try serve("HEAD /f/a.txt HTTP/1.1\nHost: a\nRange: bytes=2-4")
    #expect(head.first == "HTTP/1.1 200 OK" && body.isEmpty && head.contains("Content-Length: 10"))
    (head, body) = try serve(
      "GET /f/a.txt HTTP/1.1\nHost: a\nRange: bytes=2-4\nIf-Range: Thu, 01 Jan 1970 00:00:05 GMT")
    #expect(body == "234")
    (head, body) = try serve("GET /f/a.txt HTTP/1.1\nHost: a\nRange: bytes=2-4\nIf-Range: \"x\"")
    #expect(body == "0123456789")
    (head, body) = try serve(
      "GET /f/a.txt HTTP/1.1\nHost: a\nIf-Modified-Since: Thu, 01 Jan 1970 00:00:05 GMT")
    #expect(head.first == "HTTP/1.1 304 Not Modified" && body.isEmpty)
    #expect(head.contains("Last-Modified: Thu, 01 Jan 1970 00:00:05 GMT"))
    #expect(!head.contains { $0.hasPrefix("Content-") })
    (head, body) = try serve("GET /f/a.txt HTTP/1.1\nHost: a\nIf-Match: \"x\"")
    #expect(head.first == "HTTP/1.1 412 Precondition Failed")
    (head, body) = try serve("POST /f/a.txt HTTP/1.1\nHost: a")
    #expect(head.first == "HTTP/1.1 405 Method Not Allowed")
    #expect(head.contains("Allow: GET, HEAD, OPTIONS"))
    (head, body) = try serve("GET /f HTTP/1.1\nHost: a")
    #expect(head.contains("Location: /f/"))
    folder.write("index.html", "home")
    #expect(try serve("GET /f/ HTTP/1.1\nHost: a").body == "home")
    folder.write("empty", "")
    (head, body) = try serve("GET /f/empty HTTP/1.1\nHost: a\nRange: bytes=-5")
    #expect(head.first == "HTTP/1.1 200 OK" && head.contains("Content-Length: 0"))
  }

  @Test("A file that becomes shorter while it is sent ends the connection")
  func shrinkingFileEndsTheConnection() async {
    await withLoop { [folder] loop in
      let size = 32 << 20
      folder.write("big", "")
      truncate(folder["big"], size)
      let path = folder.path
      let fixture = HTTPFixture(on: loop) { $0.files("/", in: path) }
      let peer = fixture.connect(receiveBuffer: 4_096)
      peer.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(String(decoding: peer.receive(exactly: 15), as: UTF8.self) == "HTTP/1.1 200 OK")
      truncate(folder["big"], 1_000)
      let rest = peer.receiveAll()
      #expect(rest.count < size)
      #expect(
        fixture.answer(to: "GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").count
          > 1_000)
    }
  }

  @Test func curlUsesRangesAndConditions() async {
    await withLoop { [folder] loop in
      folder.write("a.txt", "0123456789")
      var times = [timespec(tv_sec: 5, tv_nsec: 0), timespec(tv_sec: 5, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder["a.txt"], &times, 0)
      let path = folder.path
      let fixture = HTTPFixture(on: loop) { server in
        server.requireBasic(realm: "r", under: "/private") { $0.password == "p:w" }
        server.files("/private", in: path)
        server.files("/", in: path)
      }
      let url = fixture.url("/a.txt")
      func curl(_ arguments: String) -> String {
        shell("curl -s --max-time 20 --path-as-is -w ' %{http_code}' \(arguments)")
      }
      #expect(curl(url) == "0123456789 200")
      #expect(curl("-r 2-4 \(url)") == "234 206")
      #expect(curl("-r -3 \(url)") == "789 206")
      #expect(curl("-r 0-1,5-6 \(url)") == "0123456789 200")
      #expect(curl("-r 20- -o /dev/null \(url)") == " 416")
      #expect(curl("-z '1 Jan 2000' \(url)") == " 304")
      #expect(curl("-z '-1 Jan 1960' \(url)").hasSuffix(" 412"))
      let tag = folder["tag"]
      #expect(curl("--etag-save \(tag) \(url)") == "0123456789 200")
      #expect(curl("--etag-compare \(tag) \(url)") == " 304")
      folder.write("a.txt", "changed")
      #expect(curl("--etag-compare \(tag) \(url)") == "changed 200")
      #expect(curl("-I -o /dev/null \(url)") == " 200")
      let secret = fixture.url("/private/a.txt")
      #expect(curl("-o /dev/null \(secret)") == " 401")
      #expect(curl("-u 'a:p:w' \(secret)") == "changed 200")
      #expect(curl("-o /dev/null -u 'a:x' \(fixture.url("/%70rivate/a.txt"))") == " 401")
      let outside = fixture.url("/../../etc/passwd")
      #expect(curl("-o /dev/null \(outside)") == " 401")
      #expect(curl("-o /dev/null -u 'a:p:w' \(outside)") == " 404")
    }
  }
}
