import Glibc
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

/// Returns the response of a server to a request, without a connection.
func response(
  to request: HTTPRequest, _ setUp: (HTTPServer) -> Void
) throws -> HTTPResponse {
  let scheduler = TestScheduler()
  let server = HTTPServer(on: TestNetwork(on: scheduler))
  setUp(server)
  var response: HTTPResponse?
  server.test(request).observe(succeeded: { response = $0 })
  scheduler.run()
  return try #require(response)
}

/// Returns the bytes of a body.
func bytes(of body: HTTPBody) -> [UInt8] {
  var all: [UInt8] = []
  body.stream.observe(next: { all += $0 }, failed: { Issue.record("\($0)") })
  return all
}

/// Returns the text of a body.
func text(of body: HTTPBody) -> String { String(decoding: bytes(of: body), as: UTF8.self) }

/// Returns the result of a single that ends at once.
func result<Element>(of single: Single<Element, any Error>) throws -> Element {
  var result: Result<Element, any Error>?
  single.observe(succeeded: { result = .success($0) }, failed: { result = .failure($0) })
  return try #require(result).get()
}

extension HTTPRequest {
  /// A request with some header fields.
  init(_ target: String, _ fields: [(String, String)], method: HTTPMethod = .get) {
    var headers = HTTPHeaders()
    for (name, value) in fields { headers.append(name, value) }
    self.init(method, target, headers: headers)
  }
}

/// Returns the paths of the open files in a folder, also of those that were deleted.
func openFiles(in folder: String) -> [String] {
  (0..<4_096).compactMap { number in
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/fd/\(number)", &buffer, buffer.count)
    guard count > 0 else { return nil }
    let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.hasPrefix(folder + "/") ? path : nil
  }
}
