import Glibc
import RunnelGzip
import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

/// Runs a command of the shell, and returns its output.
private func shell(_ command: String) -> String {
  guard let pipe = popen(command, "re") else { return "popen failed" }
  defer { pclose(pipe) }
  var output: [UInt8] = []
  while case let byte = fgetc(pipe), byte >= 0 { output.append(UInt8(byte)) }
  return String(decoding: output, as: UTF8.self)
}

@Suite("gzip with curl and gzip") struct GzipPeerTests {
  private static let text = String(repeating: "Die Straße ist naß. ", count: 3_000)

  /// Runs a closure with the URL of a server.
  private func withServer(_ body: @escaping @Sendable (_ url: String) -> Void) async {
    await withLoop { loop in
      let url = loop.wait {
        let server = HTTPServer(on: loop)
        server.use(.gzip())
        server.use(.gunzip(atMost: 100_000))
        server.get("/text") { _ in Self.text }
        server.get("/stream") { _ in
          EventStream<String, Never>.sequence((0..<50).map { "piece \($0)\n" })
        }
        server.post("/count") { request in request.body.text().map { "\($0.utf8.count)" } }
        let address = try? server.listen(.tcp("127.0.0.1", port: 0)).address
        return address.map { "http://\($0)" } ?? ""
      }
      body(url)
    }
  }

  @Test func curlDecompresses() async {
    await withServer { url in
      #expect(shell("curl -s --compressed \(url)/text") == Self.text)
      #expect(shell("curl -s \(url)/text") == Self.text)
      let expected = (0..<50).map { "piece \($0)\n" }.joined()
      #expect(shell("curl -s --compressed \(url)/stream") == expected)
      #expect(shell("curl -s -H 'Accept-Encoding: gzip' \(url)/text | gzip -dc") == Self.text)
      #expect(shell("curl -s -H 'Accept-Encoding: gzip' \(url)/stream | gzip -dc") == expected)
      let head = shell("curl -sI --compressed \(url)/text").lowercased()
      #expect(head.contains("content-encoding: gzip") && head.contains("vary: accept-encoding"))
    }
  }

  @Test func gzipCompressesRequests() async {
    await withServer { url in
      let post = "curl -s -H 'Content-Encoding: gzip' --data-binary @- \(url)/count"
      #expect(shell("head -c 50000 /dev/zero | tr '\\0' a | gzip -9 | \(post)") == "50000")
      let chunked = post.replacing("-s ", with: "-s -H 'Transfer-Encoding: chunked' ")
      #expect(shell("head -c 50000 /dev/zero | tr '\\0' a | gzip -1 | \(chunked)") == "50000")
      let status = post.replacing("-s ", with: "-s -o /dev/null -w '%{http_code}' ")
      #expect(shell("head -c 100000000 /dev/zero | gzip | \(status)") == "413")
      #expect(shell("echo plain | \(status)") == "400")
    }
  }
}
