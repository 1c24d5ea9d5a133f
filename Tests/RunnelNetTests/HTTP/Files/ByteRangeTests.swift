import Testing

@testable import RunnelNet

@Suite struct ByteRangeTests {
  @Test(
    arguments: [
      // One range.
      ("bytes=0-0", .part(0..<1)),
      ("bytes=0-9", .part(0..<10)),
      ("bytes=0-", .part(0..<10)),
      ("bytes=3-5", .part(3..<6)),
      ("bytes=9-", .part(9..<10)),
      ("bytes=5-99", .part(5..<10)),
      ("bytes=5-99999999999999999999999", .part(5..<10)),
      ("bytes=5-9223372036854775807", .part(5..<10)),
      ("BYTES=1-2", .part(1..<3)),
      ("bytes= 1-2 ", .part(1..<3)),
      // The end of the file.
      ("bytes=-1", .part(9..<10)),
      ("bytes=-10", .part(0..<10)),
      ("bytes=-11", .part(0..<10)),
      ("bytes=-99999999999999999999999", .part(0..<10)),
      // Outside of the file.
      ("bytes=10-", .unsatisfiable),
      ("bytes=10-11", .unsatisfiable),
      ("bytes=99999999999999999999999-", .unsatisfiable),
      ("bytes=-0", .unsatisfiable),
      ("bytes=10-11,-0", .unsatisfiable),
      // Invalid ones are ignored.
      ("bytes=2-1", .whole),
      ("bytes=", .whole),
      ("bytes", .whole),
      ("bytes=-", .whole),
      ("bytes=a-b", .whole),
      ("bytes=1", .whole),
      ("bytes=1-2-3", .whole),
      ("bytes=+1-2", .whole),
      ("bytes=1 - 2", .whole),
      ("bytes=0x1-2", .whole),
      ("bytes=--1", .whole),
      ("bytes =1-2", .whole),
      ("lines=1-2", .whole),
      ("bytes=0-1,x", .whole),
      ("", .whole),
      // Several ranges.
      ("bytes=0-1,2-3", .part(0..<4)),
      ("bytes=2-3,0-1", .part(0..<4)),
      ("bytes=0-5,3-8", .part(0..<9)),
      ("bytes=0-8,3-4", .part(0..<9)),
      ("bytes=0-0,-1", .whole),
      ("bytes=0-1,3-4", .whole),
      ("bytes=0-1,99-", .part(0..<2)),
      ("bytes=0-1,,2-2,", .part(0..<3)),
      ("bytes=" + repeatElement("0-", count: 16).joined(separator: ","), .part(0..<10)),
      ("bytes=" + repeatElement("0-", count: 17).joined(separator: ","), .whole),
    ] as [(String, ByteRange)])
  func rangesOfTenBytesAreParsed(_ text: String, _ expected: ByteRange) {
    #expect(ByteRange(text, size: 10) == expected)
  }

  @Test(
    arguments: [
      ("bytes=0-", .unsatisfiable), ("bytes=0-0", .unsatisfiable), ("bytes=-5", .whole),
      ("bytes=-0", .unsatisfiable),
    ] as [(String, ByteRange)])
  func emptyFileHasNoRange(_ text: String, _ expected: ByteRange) {
    #expect(ByteRange(text, size: 0) == expected)
  }
}
