import RunnelNet
import RunnelStreams

/// Parses bytes as a form of several parts, in one piece and in small ones. Traps if the results
/// differ.
func fuzzMultipart(_ input: [UInt8]) {
  guard input.count > 2 else { return }
  let bytes = Array(input.dropFirst())
  let size = 1 + Int(input[0] % 7)
  let whole = result(of: [bytes])
  let pieces = stride(from: 0, to: bytes.count, by: size).map {
    Array(bytes[$0..<min($0 + size, bytes.count)])
  }
  let parts = result(of: pieces)
  precondition(whole == parts, "\(whole) differs from \(parts)")
}

private func result(of pieces: [[UInt8]]) -> String {
  let body = HTTPBody(EventStream<[UInt8], Never>.sequence(pieces))
  let request = HTTPRequest(
    .post, "/", headers: ["Content-Type": "multipart/form-data; boundary=\"b\""], body: body)
  var result = "nothing"
  request.multipart().observe(
    succeeded: { form in
      result = form.parts.map { "\($0.name) \($0.fileName ?? "-") \($0.text ?? "-")" }.joined()
    },
    // A limit or another mistake may be found first.
    failed: { _ in result = "invalid" })
  return result
}
