import Glibc

/// The `Date` field of responses, which is made once a second.
struct DateField {
  private var second = -1
  private var bytes: [UInt8] = []

  mutating func append(to output: inout [UInt8]) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    if time.tv_sec != second {
      second = time.tv_sec
      bytes = Array("Date: \(HTTPDate(seconds: second))\r\n".utf8)
    }
    output.append(contentsOf: bytes)
  }
}
