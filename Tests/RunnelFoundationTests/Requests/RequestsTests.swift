import Foundation
import FoundationNetworking
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct RequestsTests {
  // MARK: Responses

  @Test(arguments: [200, 201, 300, 404, 418, 500])
  func responseIncludesAnyStatus(_ status: Int) async {
    let answers = await withServer { server, home in
      let recorder = session().rx.response(url: server.url("/status/\(status)")).stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements.map { "\($0.response.statusCode) \(text($0.data))" }
    }
    #expect(answers == ["\(status) status \(status)"])
  }

  @Test func dataIsBody() async {
    let bodies = await withServer { server, home in
      let recorder = session().rx.data(url: server.url("/status/200")).stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements
    }
    #expect(bodies == [Data("status 200".utf8)])
  }

  @Test func sendsRequestUnchanged() async {
    let texts = await withServer { server, home in
      var request = URLRequest(url: server.url("/echo"))
      request.httpMethod = "PUT"
      request.httpBody = Data("Grüße".utf8)
      request.setValue("text/plain; charset=utf-8", forHTTPHeaderField: "Content-Type")
      let recorder = session().rx.string(request: request).stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements
    }
    #expect(texts == ["PUT Grüße"])
  }

  @Test func usesSharedSession() async {
    let texts = await withServer { server, home in
      let recorder = URLSession.shared.rx.string(url: server.url("/status/200")).stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements
    }
    #expect(texts == ["status 200"])
  }

  @Test(arguments: [
    ("utf-8", "utf-8"), ("UTF-8", "utf-8"), ("none", "utf-8"), ("iso-8859-1", "latin-1"),
    ("windows-1252", "cp1252"), ("iso-8859-2", "iso-8859-2"), ("utf-16le", "utf-16le"),
    ("utf-16", "utf-16"),
  ])
  func decodesCharsetOfServer(_ name: String, _ encoding: String) async {
    let texts = await withServer { server, home in
      let url = server.url("/text/\(name)/\(encoding)")
      let recorder = session().rx.string(url: url).stream.record()
      home.run(until: { recorder.termination != nil })
      return recorder.elements
    }
    #expect(texts == ["Grüße"])
  }

  /// The decoded type need not be `Sendable`.
  private final class Author: Decodable {
    let name: String
    let firstBook: Int
  }

  @Test func decodesJSON() async {
    let authors = await withServer { server, home in
      let url = server.url("/json/%7B%22name%22:%22Emma%22,%22first_book%22:1815%7D")
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let recorder = session().rx.json(Author.self, url: url, decoder: decoder).stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements.map { "\($0.name) \($0.firstBook)" }
    }
    #expect(authors == ["Emma 1815"])
  }

  @Test(arguments: ["/status/204", "/json/"])
  func returnsEmptyBody(_ path: String) async {
    let texts = await withServer { server, home in
      let recorder = session().rx.string(url: server.url(path)).stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements
    }
    #expect(texts == [""])
  }

  @Test func returnsLargeBody() async {
    let size = 6_000_000
    let isWhole = await withServer { server, home in
      let recorder = session().rx.data(url: server.url("/big/\(size)")).stream.record()
      home.run(until: { recorder.isCompleted })
      let pattern = [[UInt8]](repeating: Array(0..<251), count: size / 251 + 1).joined()
      return recorder.elements == [Data(Array(pattern)).prefix(size)]
    }
    #expect(isWhole)
  }

  @Test func followsRedirects() async {
    let (texts, lines) = await withServer { server, home in
      let recorder = session().rx.string(url: server.url("/redirect/2")).stream.record()
      home.run(until: { recorder.isCompleted })
      return (recorder.elements, server.remainingLines())
    }
    #expect(texts == ["GET "])
    #expect(lines == ["GET /redirect/2", "GET /redirect/1", "GET /echo"])
  }

  @Test func callsDelegateOfSession() async {
    let texts = await withServer { server, home in
      let session = URLSession(
        configuration: .ephemeral, delegate: PasswordKeeper(), delegateQueue: nil)
      let recorder = session.rx.string(url: server.url("/private")).stream.record()
      home.run(until: { recorder.termination != nil })
      return recorder.elements
    }
    #expect(texts == ["come in"])
  }

  @Test func flatMapChainsRequests() async {
    let texts = await withServer { server, home in
      let rx = session().rx
      let recorder = rx.json(Int.self, url: server.url("/json/201")).flatMap { status in
        rx.string(url: server.url("/status/\(status)"))
      }.stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements
    }
    #expect(texts == ["status 201"])
  }

  @Test func runsManyRequestsAtATime() async {
    let numbers = await withServer { server, home in
      let rx = session().rx
      let recorder = Single.zip((0..<40).map { rx.json(Int.self, url: server.url("/json/\($0)")) })
        .stream.record()
      home.run(until: { recorder.isCompleted })
      return recorder.elements
    }
    #expect(numbers == [Array(0..<40)])
  }

  // MARK: Observation

  @Test func sendsNothingBeforeObservation() async {
    let lines = await withServer { server, home in
      let single = session().rx.data(url: server.url("/status/200"))
      withExtendedLifetime(single) { home.run() }
      return server.remainingLines()
    }
    #expect(lines == [])
  }

  @Test func sendsOneRequestPerObservation() async {
    let lines = await withServer { server, home in
      let single = session().rx.data(url: server.url("/status/200"))
      for _ in 1...3 {
        let recorder = single.stream.record()
        home.run(until: { recorder.isCompleted })
      }
      return server.remainingLines()
    }
    #expect(lines == ["GET /status/200", "GET /status/200", "GET /status/200"])
  }

  @Test func retrySendsNewRequest() async {
    let (failures, lines) = await withServer { server, home in
      let recorder = session().rx.data(url: server.url("/status/503")).retry(3).stream.record()
      home.run(until: { recorder.failure != nil })
      return (recorder.events.count, server.remainingLines())
    }
    #expect(failures == 1)
    #expect(lines == ["GET /status/503", "GET /status/503", "GET /status/503"])
  }

  /// A failure is a job of the context, as all other results. It never arrives during the call.
  @Test func failsAsynchronously() async {
    let (before, after) = await ManualContext.onThread { home in
      let recorder = session().rx.data(request: noURL).stream.record()
      let before = recorder.events.count
      home.run(until: { recorder.failure != nil })
      return (before, recorder.events.count)
    }
    #expect(before == 0 && after == 1)
  }
}

/// A delegate that answers authentication challenges.
private final class PasswordKeeper: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?)
      -> Void
  ) {
    completionHandler(
      .useCredential, URLCredential(user: "Jim", password: "x", persistence: .none))
  }
}

/// A request without a URL.
let noURL: URLRequest = {
  var request = URLRequest(url: URL(filePath: "/"))
  request.url = nil
  return request
}()

/// Returns a private session for a test.
func session() -> URLSession { URLSession(configuration: .ephemeral) }

func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
