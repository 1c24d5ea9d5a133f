/// Parses a request many times, as a server does with the requests of a connection. Returns the
/// number of its fields.
public func parse(_ bytes: [UInt8], times: Int) -> Int {
  var parser = RequestParser(HTTPLimits())
  defer { parser.deallocate() }
  var search = HeadSearch()
  var count = 0
  bytes.withUnsafeBytes { bytes in
    for _ in 0..<times {
      guard (try? parser.parse(bytes, &search)) != nil else {
        fatalError("The request is invalid.")
      }
      count += parser.fields.count
    }
  }
  return count
}
