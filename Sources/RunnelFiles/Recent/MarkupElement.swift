/// An element of an XML document, with its place in the bytes.
///
/// It reads as much of XML as the desktop's lists of files use. Declarations of entities are not read, so that
/// a short document cannot become a long one.
struct MarkupElement {
  let name: String
  /// The attributes with their values as they are written, in order.
  let attributes: [(name: String, value: String)]
  /// The whole element.
  let range: Range<Int>
  /// The tag at the beginning.
  let head: Range<Int>
  /// The bytes between the tags; empty for an element of one tag.
  let content: Range<Int>
  let children: [MarkupElement]

  /// The value of an attribute as it is written; nil if it is absent.
  subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The first element with a name among the children and their children.
  func descendant(_ name: String) -> MarkupElement? {
    for child in children {
      if child.name == name { return child }
      if let found = child.descendant(name) { return found }
    }
    return nil
  }

  /// Reads a document. Returns nil if it is malformed, nested too deeply, or has declarations of entities.
  init?(document bytes: [UInt8]) {
    var reader = MarkupReader(bytes)
    guard let root = reader.document() else { return nil }
    self = root
  }

  fileprivate init(
    _ tag: MarkupReader.Tag, content: Range<Int>, end: Int, children: [MarkupElement]
  ) {
    name = tag.name
    attributes = tag.attributes
    range = tag.range.lowerBound..<end
    head = tag.range
    self.content = content
    self.children = children
  }
}

/// A reader of the elements of an XML document.
private struct MarkupReader {
  struct Tag {
    enum Kind {
      case opening
      case closing
      /// A tag that is a whole element.
      case empty
    }

    let kind: Kind
    let name: String
    let attributes: [(name: String, value: String)]
    let range: Range<Int>
  }

  /// The depth of elements in elements that is read.
  private static let depth = 32

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() -> MarkupElement? {
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    guard let tag = nextTag(), let root = element(tag, depth: 0) else { return nil }
    // Only comments and spaces follow.
    repeat { skipSpaces() } while skip(from: "<!--", to: "-->") || skip(from: "<?", to: "?>")
    return position == bytes.count ? root : nil
  }

  private mutating func element(_ tag: Tag, depth: Int) -> MarkupElement? {
    switch tag.kind {
    case .closing: return nil
    case .empty:
      let end = tag.range.upperBound
      return MarkupElement(tag, content: end..<end, end: end, children: [])
    case .opening: break
    }
    guard depth < Self.depth else { return nil }
    var children: [MarkupElement] = []
    while let next = nextTag() {
      if case .closing = next.kind {
        guard next.name == tag.name else { return nil }
        let content = tag.range.upperBound..<next.range.lowerBound
        return MarkupElement(
          tag, content: content, end: next.range.upperBound, children: children)
      }
      guard let child = element(next, depth: depth + 1) else { return nil }
      children.append(child)
    }
    return nil
  }

  // MARK: - Tags

  /// Reads up to the next tag, which is nil at the end of the document and where it is malformed.
  private mutating func nextTag() -> Tag? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if skip(from: "<!--", to: "-->") || skip(from: "<![CDATA[", to: "]]>")
        || skip(from: "<?", to: "?>")
      {
        continue
      }
      if starts(with: "<!") {
        // The declaration of the type. One with entities has brackets.
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")),
          !bytes[position..<end].contains(UInt8(ascii: "["))
        else { return nil }
        position = end + 1
        continue
      }
      return tag()
    }
    position = bytes.count
    return nil
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// Skips a part if it begins here. A part without an end reaches to the end of the document.
  private mutating func skip(from start: StaticString, to end: StaticString) -> Bool {
    guard starts(with: start) else { return false }
    position += start.utf8CodeUnitCount
    while position < bytes.count, !starts(with: end) { position += 1 }
    position = min(position + end.utf8CodeUnitCount, bytes.count)
    return true
  }

  private mutating func tag() -> Tag? {
    let start = position
    position += 1
    let isClosing = take(UInt8(ascii: "/"))
    guard let name = word() else { return nil }
    var attributes: [(name: String, value: String)] = []
    while true {
      skipSpaces()
      let isEmpty = !isClosing && take(UInt8(ascii: "/"))
      if take(UInt8(ascii: ">")) {
        return Tag(
          kind: isClosing ? .closing : isEmpty ? .empty : .opening, name: name,
          attributes: attributes, range: start..<position)
      }
      guard !isEmpty, !isClosing, let attribute = word() else { return nil }
      skipSpaces()
      guard take(UInt8(ascii: "=")) else { return nil }
      skipSpaces()
      guard let quote = position < bytes.count ? bytes[position] : nil,
        quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = bytes[(position + 1)...].firstIndex(of: quote)
      else { return nil }
      let value = bytes[(position + 1)..<end]
      guard !value.contains(UInt8(ascii: "<")) else { return nil }
      attributes.append((attribute, String(decoding: value, as: UTF8.self)))
      position = end + 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// The bytes that end a name.
  private static let ends = Set("<>/='\" \t\r\n".utf8)

  private mutating func word() -> String? {
    let word = bytes[position...].prefix { !Self.ends.contains($0) }
    position = word.endIndex
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  private mutating func skipSpaces() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0a).contains(byte) || byte == 0x0d
  }
}
