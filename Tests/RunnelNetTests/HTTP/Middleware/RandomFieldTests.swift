import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct RandomFieldTests {
  @Test("Parsers of fields accept any text, and read what they have printed")
  func anyTextIsParsed() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let alphabet = Array("abq019=;,-/*.\"\\ \t%:~é\u{0}".unicodeScalars)
    let starts = ["", "bytes=", "Basic ", "Bearer ", "text/html;", "\"", "/", "a/b;c=\"", "en-"]
    let validators = Validators(tag: "\"a\"", date: HTTPDate(seconds: 0), dateIsStrong: true)
    for _ in 0..<5_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        text.append(alphabet.randomElement(using: &random)!)
      }
      let field = starts.randomElement(using: &random)! + String(text)
      if let type = MediaType(field) { #expect(MediaType("\(type)") == type, "seed \(seed)") }
      if case .part(let range) = ByteRange(field, size: 10) {
        #expect(!range.isEmpty && 0..<10 ~= range.lowerBound && range.upperBound <= 10)
      }
      let names = [
        "Accept", "Accept-Language", "Accept-Encoding", "Cookie", "Authorization", "If-Match",
        "If-None-Match", "If-Modified-Since", "If-Range",
      ]
      let request = HTTPRequest("/" + field, names.map { ($0, field) })
      _ = request.preferred(among: ["text/html", "a/b"])
      _ = request.preferredLanguage(among: ["en", "a"])
      _ = request.preferredEncoding(among: ["gzip", "identity"])
      _ = (request.cookies, request.basicCredentials, request.bearerToken)
      _ = (validators.evaluate(request), validators.allowRange(request.headers))
      _ = ProtectedPath("/a").covers(request.path)
    }
  }
}
