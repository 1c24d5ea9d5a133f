/// A line that is compared byte by byte. Two strings are equal also if they only look the same.
struct LineBytes: Hashable {
  let line: String

  static func == (one: LineBytes, other: LineBytes) -> Bool {
    one.line.utf8.elementsEqual(other.line.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let bytes = line.utf8Span.span
    for index in bytes.indices { hasher.combine(bytes[index]) }
  }
}
