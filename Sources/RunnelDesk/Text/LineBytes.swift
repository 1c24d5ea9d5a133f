/// A line that is compared byte by byte. `==` of strings ignores how a character is composed: "é" has
/// two forms.
struct LineBytes: Hashable {
  let line: String

  static func == (one: LineBytes, other: LineBytes) -> Bool {
    let (left, right) = (one.line.utf8Span.span, other.line.utf8Span.span)
    if left.count != right.count { return false }
    if left.isIdentical(to: right) { return true }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  func hash(into hasher: inout Hasher) {
    // Safety: the bytes are only read in the closure.
    line.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
