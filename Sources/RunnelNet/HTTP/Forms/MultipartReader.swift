/// Collects the parts of a form while they arrive.
struct MultipartReader {
  private var parser: MultipartParser
  private let limits: MultipartLimits
  private var received = 0
  private var parts: [MultipartPart] = []
  /// The part that is arriving.
  private var head: MultipartHead?
  private var bytes: [UInt8] = []
  /// The file of the part, once it is large.
  private var file: TemporaryFile?

  init(_ parser: MultipartParser, _ limits: MultipartLimits) {
    self.parser = parser
    self.limits = limits
  }

  mutating func read(_ piece: [UInt8]) throws {
    guard piece.count <= limits.total - received else {
      throw HTTPBodyError.tooLarge(limit: limits.total)
    }
    received += piece.count
    parser.append(piece)
    while let event = try parser.next() {
      switch event {
      case .begin(let head): self.head = head
      case .bytes(let piece): try collect(piece)
      case .end: finishPart()
      }
    }
  }

  private mutating func collect(_ piece: [UInt8]) throws {
    if let file { return try file.append(piece) }
    if piece.count <= limits.memory - bytes.count {
      bytes += piece
      return
    }
    let file = try TemporaryFile(in: limits.folder)
    try file.append(bytes)
    try file.append(piece)
    bytes = []
    self.file = file
  }

  private mutating func finishPart() {
    guard let head = head.take() else { return }
    let body = file.take()?.body ?? HTTPBody(bytes)
    bytes = []
    parts.append(MultipartPart(head: head, body: body))
  }

  /// Returns the form after the last byte.
  func form() throws -> MultipartForm {
    guard parser.isFinished else {
      throw MultipartError.malformed("it ends before its last boundary")
    }
    return MultipartForm(parts: parts)
  }
}
