import RunnelJSON
import RunnelTesting
import Testing

@Suite struct NumberTests {
  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
    try? JSON.decode(type, from: text)
  }

  @Test func integersAreExact() {
    #expect(decode(Int.self, "9223372036854775807") == .max)
    #expect(decode(Int.self, "-9223372036854775808") == .min)
    #expect(decode(Int.self, "9223372036854775808") == nil)
    #expect(decode(UInt64.self, "18446744073709551615") == .max)
    #expect(decode(UInt64.self, "-1") == nil && decode(UInt64.self, "-0") == 0)
    #expect(decode(UInt8.self, "255") == 255 && decode(UInt8.self, "256") == nil)
    #expect(decode(Int8.self, "-128") == -128 && decode(Int8.self, "-129") == nil)
    #expect(decode(Int128.self, "\(Int128.min)") == .min)
    #expect(decode(UInt128.self, "\(UInt128.max)") == .max)
    #expect(decode(UInt128.self, "\(UInt128.max)0") == nil)
  }

  @Test("A number with a fraction or an exponent is an integer if its value is one")
  func integersInOtherForms() {
    for (text, value) in [
      ("1.0", 1), ("1e2", 100), ("1.50e1", 15), ("-20E-1", -2), ("0.0", 0),
      ("0e999999999999999999", 0),
      ("100000000000000000000e-18", 100), ("1e18", 1_000_000_000_000_000_000),
    ] {
      #expect(decode(Int.self, text) == value, "\(text)")
    }
    #expect(decode(UInt64.self, "12345678901234567891.0") == 12_345_678_901_234_567_891)
    #expect(decode(UInt64.self, "1.2345678901234567891e19") == 12_345_678_901_234_567_891)
    #expect(decode(Int128.self, "-12345678901234567890123.00") == -12_345_678_901_234_567_890_123)
    #expect(decode(Int.self, "\(String(repeating: "9", count: 1_000_000))") == nil)
    for text in ["1.5", "1e-1", "1e19", "1.0000000000000000000001", "1e999999999999999999999"] {
      #expect(decode(Int.self, text) == nil, "\(text)")
    }
  }

  @Test func doublesAreTheNearestOnes() {
    for text in [
      "0.1", "1e22", "1e23", "9007199254740993", "9007199254740993.0", "123456789012345678",
      "0.30000000000000004", "2.2250738585072011e-308", "4.9e-324", "1.7976931348623157e308",
      "-122.41941550000001", "8.5e-19", "18446744073709551615", "1844674407370955161500e-5",
      "5e-1", "3.141592653589793238462643383279502884197", "72057594037927945",
    ] {
      #expect(decode(Double.self, text) == Double(text), "\(text)")
      #expect(decode(Float.self, text) == Float(text).flatMap { $0.isFinite ? $0 : nil })
    }
    #expect(decode(Double.self, "-0")?.sign == .minus)
    #expect(decode(Double.self, "1e309") == nil && decode(Float.self, "1e39") == nil)
    #expect(decode(Double.self, "1e-400") == 0)
  }

  @Test(arguments: seeds(2)) func randomNumbers(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<5_000 {
      let bits = UInt64.random(in: .min ... .max, using: &random)
      var number = Double(bitPattern: bits)
      if Bool.random(using: &random) { number = Double(Int64(bitPattern: bits)) / 1_000 }
      guard number.isFinite else { continue }
      let text = String(decoding: try JSON.encode(number), as: UTF8.self)
      #expect(decode(Double.self, text)?.bitPattern == number.bitPattern, "\(text)")
      let digits = "\(bits)"
      let place = Int.random(in: 1..<digits.count, using: &random)
      let decimal = digits.prefix(place) + "." + digits.dropFirst(place)
      #expect(decode(Double.self, "\(decimal)") == Double(decimal), "\(decimal)")
      #expect(decode(UInt64.self, digits) == bits)
    }
  }
}
