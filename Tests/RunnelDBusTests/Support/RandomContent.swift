import RunnelStreams

@testable import RunnelDBus

/// Values of random types.
struct RandomContent {
  var random: SplitMix

  private mutating func number(below limit: Int) -> Int {
    Int.random(in: 0..<limit, using: &random)
  }

  private static let basic: [BusType] = [
    .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
    .objectPath, .signature,
  ]

  mutating func type(depth: Int = 0) -> BusType {
    switch number(below: depth < 4 ? 10 : 6) {
    case 6: return .variant
    case 7: return .array(type(depth: depth + 1))
    case 8: return .dictionary(key: basicType(), value: type(depth: depth + 1))
    case 9:
      let count = 1 + number(below: 3)
      return .structure((0..<count).map { _ in type(depth: depth + 1) })
    default: return basicType()
    }
  }

  private mutating func basicType() -> BusType { Self.basic[number(below: Self.basic.count)] }

  mutating func content(of type: BusType, depth: Int = 0) -> Variant.Content {
    let count = depth < 4 ? number(below: 4) : 0
    switch type {
    case .byte: return .byte(.random(in: .min ... .max, using: &random))
    case .boolean: return .boolean(.random(using: &random))
    case .int16: return .int16(.random(in: .min ... .max, using: &random))
    case .uint16: return .uint16(.random(in: .min ... .max, using: &random))
    case .int32: return .int32(.random(in: .min ... .max, using: &random))
    case .uint32: return .uint32(.random(in: .min ... .max, using: &random))
    case .int64: return .int64(.random(in: .min ... .max, using: &random))
    case .uint64: return .uint64(.random(in: .min ... .max, using: &random))
    case .double: return .double(.random(in: -1e9...1e9, using: &random))
    case .string: return .string(text())
    case .objectPath: return .objectPath(ObjectPath("/a/b_\(count)/C9") ?? .root)
    case .signature: return .signature(Signature((0..<count).map { _ in self.type(depth: 3) }))
    case .descriptor, .variant:
      let inner = self.type(depth: depth + 1)
      return .variant(Variant(content(of: inner, depth: depth + 1)))
    case .array(.byte): return .bytes((0..<count).map { UInt8($0) })
    case .array(let element):
      return .array(of: element, (0..<count).map { _ in content(of: element, depth: depth + 1) })
    case .dictionary(let key, let value):
      let entries = (0..<count).map { _ in
        Variant.Entry(
          key: content(of: key, depth: depth + 1), value: content(of: value, depth: depth + 1))
      }
      return .dictionary(key: key, value: value, entries)
    case .structure(let members):
      return .structure(members.map { content(of: $0, depth: depth + 1) })
    }
  }

  private mutating func text() -> String {
    let characters = Array("aZ0 é漢😀\n\u{1}")
    return String((0..<number(below: 12)).map { _ in characters[number(below: characters.count)] })
  }
}
