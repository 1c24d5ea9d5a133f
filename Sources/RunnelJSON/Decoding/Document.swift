/// A parsed text, whose values are decoded.
///
/// Decoders and containers retain it, so they may outlive the call that made them.
final class Document {
  // Safety: the buffers live as long as this object. The parser has made the tokens from the text, so
  // that their places are in it, and indices come from tokens of this object only.
  let text: UnsafeRawBufferPointer
  private let tokens: UnsafeMutableBufferPointer<Token>
  let userInfo: [CodingUserInfoKey: Any]
  private var tables: [Int: NameTable] = [:]
  private var counts: [Int: Int] = [:]
  /// Where the last path went on from each array and object: the number of the element, and the token
  /// of it or of its name. The next path begins there.
  private var steps: [Int: (number: Int, token: Int)] = [:]
  /// The innermost value whose type has thrown an error.
  private(set) var failedToken: Int?

  init(
    _ bytes: [UInt8], _ limits: JSONLimits, userInfo: [CodingUserInfoKey: any Sendable]
  ) throws(JSONError) {
    self.userInfo = userInfo
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    text = UnsafeRawBufferPointer(copy)
    do throws(Parser.Failure) {
      let parsed = try Parser.tokens(of: text, limits)
      tokens = .allocate(capacity: parsed.count)
      _ = tokens.initialize(from: parsed)
    } catch {
      tokens = .allocate(capacity: 0)
      throw JSONError(error.reason, JSONError.Place(offset: error.offset, in: text))
    }
  }

  deinit {
    text.deallocate()
    tokens.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Token { tokens[index] }

  @inline(__always)
  func bytes(of token: Token) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text[Int(token.start)..<Int(token.start) + token.count])
  }

  // MARK: - Strings

  func string(at index: Int) -> String {
    let token = tokens[index]
    let bytes = bytes(of: token)
    if token.kind == .string { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { Self.unescape(bytes, into: $0) }
  }

  /// Writes the characters of a string without its escapes. Returns the number of bytes.
  private static func unescape(
    _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let text = bytes.baseAddress else { return 0 }
    var (offset, count) = (0, 0)
    func add(_ byte: UInt8) {
      output[count] = byte
      count += 1
    }
    while offset < bytes.count {
      let byte = text.byte(at: offset)
      guard byte == .backslash else {
        add(byte)
        offset += 1
        continue
      }
      let escaped = text.byte(at: offset + 1)
      offset += 2
      switch escaped {
      case UInt8(ascii: "b"): add(8)
      case UInt8(ascii: "f"): add(12)
      case UInt8(ascii: "n"): add(.lineFeed)
      case UInt8(ascii: "r"): add(.carriageReturn)
      case UInt8(ascii: "t"): add(.tab)
      case UInt8(ascii: "u"):
        var value = UInt32(text.escapedUnit(at: offset - 2, to: bytes.count) ?? 0)
        offset += 4
        if value & 0xF800 == 0xD800 {
          let low = UInt32(text.escapedUnit(at: offset, to: bytes.count) ?? 0)
          value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
          offset += 6
        }
        for unit in UTF8.encode(UnicodeScalar(value) ?? "\u{FFFD}")?.map({ $0 }) ?? [] { add(unit) }
      default: add(escaped)
      }
    }
    return count
  }

  @inline(__always)
  private func token(_ index: Int, isNamed name: UnsafeRawBufferPointer) -> Bool {
    let token = tokens[index]
    guard token.kind == .string else {
      return string(at: index).utf8.elementsEqual(name)
    }
    guard token.count == name.count else { return false }
    let start = Int(token.start)
    for offset in 0..<name.count where text[start &+ offset] != name[offset] { return false }
    return true
  }

  // MARK: - Objects

  /// Returns the token of the value with a name in an object; nil if there is none.
  @inline(never)
  func value(named name: String, in object: Int) -> Int? {
    var name = name
    return name.withUTF8 { value(named: UnsafeRawBufferPointer($0), in: object) }
  }

  private func value(named name: UnsafeRawBufferPointer, in object: Int) -> Int? {
    let first = object + 2
    let end = object + tokens[object].span
    guard first < end else { return nil }
    switch tokens[object + 1].lookUp {
    case .inOrder:
      let start = Int(tokens[object + 1].start)
      var index = start
      repeat {
        if token(index, isNamed: name) {
          // The same name is often asked for again, and then the next one.
          tokens[object + 1].start = UInt32(truncatingIfNeeded: index)
          return index + 1
        }
        index += 1 + tokens[index + 1].span
        if index == end { index = first }
      } while index != start
      return nil
    case .last:
      var (index, found) = (first, Int?.none)
      while index < end {
        if token(index, isNamed: name) { found = index + 1 }
        index += 1 + tokens[index + 1].span
      }
      return found
    case .table: return table(of: object).value(named: name, in: self)
    }
  }

  private func table(of object: Int) -> NameTable {
    if let table = tables[object] { return table }
    let table = NameTable(of: object, in: self)
    tables[object] = table
    return table
  }

  /// The tokens of the names in an object.
  func names(in object: Int) -> [Int] {
    let end = object + tokens[object].span
    var (index, names) = (object + 2, [Int]())
    while index < end {
      names.append(index)
      index += 1 + tokens[index + 1].span
    }
    return names
  }

  /// The tokens of the names in an object. Of several equal names, only the one that counts is there.
  func uniqueNames(in object: Int) -> [Int] {
    let names = names(in: object)
    if tokens[object + 1].lookUp == .inOrder { return names }
    return names.filter { name in
      withName(at: name) { value(named: $0, in: object) } == name + 1
    }
  }

  func withName<Output>(
    at index: Int, _ body: (UnsafeRawBufferPointer) -> Output
  ) -> Output {
    let token = tokens[index]
    if token.kind == .string { return body(bytes(of: token)) }
    var name = string(at: index)
    return name.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  // MARK: - Arrays

  func count(of array: Int) -> Int {
    if let count = counts[array] { return count }
    let end = array + tokens[array].span
    var (element, count) = (array + 1, 0)
    while element < end {
      element += tokens[element].span
      count += 1
    }
    counts[array] = count
    return count
  }

  // MARK: - Paths

  /// Returns the path from the outermost value to a token.
  ///
  /// Paths to all elements of an array, one after another, take linear time.
  func path(to sought: Int) -> [any CodingKey] {
    var (index, path) = (0, [any CodingKey]())
    while index < sought {
      let isArray = tokens[index].kind == .array
      let end = index + tokens[index].span
      var step = (number: 0, token: index + (isArray ? 1 : 2))
      if let last = steps[index], last.token <= sought { step = last }
      // The token after an element, or after a name and its value.
      func next() -> Int {
        isArray
          ? step.token + tokens[step.token].span : step.token + 1 + tokens[step.token + 1].span
      }
      while next() <= sought, next() < end { step = (step.number + 1, next()) }
      steps[index] = step
      path.append(
        isArray ? JSONKey(intValue: step.number) : JSONKey(stringValue: string(at: step.token)))
      index = isArray ? step.token : step.token + 1
    }
    return path
  }

  /// Notes that the type of a value has thrown an error. A value around it is noted later.
  func noteFailure(at index: Int) {
    if let failedToken, (index..<index + tokens[index].span).contains(failedToken) { return }
    failedToken = index
  }

  /// The place of a token in the text.
  func place(of index: Int) -> JSONError.Place {
    let token = tokens[index]
    let isString = token.kind == .string || token.kind == .escapedString
    return JSONError.Place(offset: Int(token.start) - (isString ? 1 : 0), in: text)
  }
}
