/// A parsed text, whose values are decoded.
///
/// Decoders and containers retain it, so they may outlive the call that made them.
final class Document {
  let text: UnsafeRawBufferPointer
  private let tokens: UnsafeMutableBufferPointer<Token>
  let userInfo: [CodingUserInfoKey: any Sendable]
  private var tables: [Int: NameTable] = [:]

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

  /// The bytes of a token.
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

  /// Returns true if a token is a name with the given bytes.
  @inline(__always)
  private func token(_ index: Int, isNamed name: UnsafeBufferPointer<UInt8>) -> Bool {
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
  func value(named name: String, in object: Int) -> Int? {
    var name = name
    return name.withUTF8 { value(named: $0, in: object) }
  }

  private func value(named name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    let first = object + 2
    let end = object + tokens[object].span
    guard first < end else { return nil }
    let lookUp = tokens[object + 1].lookUp
    switch lookUp {
    case .sequence:
      let index = Int(tokens[object + 1].start)
      let next = index + 1 + tokens[index + 1].span
      for candidate in [index, next] where candidate < end && token(candidate, isNamed: name) {
        tokens[object + 1].start = UInt32(truncatingIfNeeded: candidate)
        return candidate + 1
      }
      return table(of: object).value(named: name, in: self)
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

  /// The names in an object are asked for in their order.
  func expectSequence(in object: Int) {
    guard tokens[object + 1].lookUp == .table else { return }
    tokens[object + 1] = Token(lookUp: .sequence, from: object + 2)
  }

  /// Runs a closure with the characters of a name.
  func withName<Output>(
    at index: Int, _ body: (UnsafeRawBufferPointer) -> Output
  ) -> Output {
    let token = tokens[index]
    if token.kind == .string { return body(bytes(of: token)) }
    var name = string(at: index)
    return name.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  // MARK: - Paths

  /// Returns the path from the outermost value to a token.
  func path(to sought: Int) -> [any CodingKey] {
    var (index, path) = (0, [any CodingKey]())
    while index < sought {
      let (kind, end) = (tokens[index].kind, index + tokens[index].span)
      if kind == .array {
        var (element, number) = (index + 1, 0)
        while element < end, element + tokens[element].span <= sought {
          element += tokens[element].span
          number += 1
        }
        path.append(JSONKey(intValue: number))
        index = element
      } else {
        var name = index + 2
        while name + 1 < end, name + 1 + tokens[name + 1].span <= sought {
          name += 1 + tokens[name + 1].span
        }
        guard name < end else { return path }
        path.append(JSONKey(stringValue: string(at: name)))
        index = name + 1
      }
      if index >= end { return path }
    }
    return path
  }

  /// The place of a token in the text.
  func place(of index: Int) -> JSONError.Place {
    let token = tokens[index]
    let isString = token.kind == .string || token.kind == .escapedString
    return JSONError.Place(offset: Int(token.start) - (isString ? 1 : 0), in: text)
  }
}
