import Foundation
import FoundationNetworking
import Testing

@testable import RunnelFoundation

@Suite struct CharsetTests {
  private func response(_ contentType: String?) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "http://127.0.0.1/"))
    return try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil,
        headerFields: contentType.map { ["Content-Type": $0] }))
  }

  @Test(
    arguments: [
      ("utf-8", [0xC3, 0xBC], "ü"), ("utf8", [0xC3, 0xBC], "ü"), ("us-ascii", [0x41], "A"),
      ("ascii", [0x41], "A"), ("utf-16be", [0x00, 0xFC], "ü"), ("utf-16le", [0xFC, 0x00], "ü"),
      ("utf-16", [0xFE, 0xFF, 0x00, 0xFC], "ü"), ("iso-8859-1", [0xFC], "ü"),
      ("latin1", [0xFC], "ü"), ("iso-8859-2", [0xB9], "š"), ("windows-1250", [0x9A], "š"),
      ("windows-1251", [0xCF, 0xF0], "Пр"), ("windows-1252", [0x80], "€"),
      ("windows-1253", [0xE1], "α"), ("windows-1254", [0xFE], "ş"),
      ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
    ] as [(String, [UInt8], String)])
  func decodesNamedCharset(_ name: String, _ bytes: [UInt8], _ text: String) throws {
    #expect(try response("text/plain; charset=\(name)").text(of: Data(bytes)) == text)
    #expect(
      try response("text/html; charset=\"\(name.uppercased())\"").text(of: Data(bytes)) == text)
  }

  @Test func defaultsToUTF8() throws {
    for contentType in [nil, "text/plain", "application/json", ""] {
      #expect(try response(contentType).charset == "utf-8")
      #expect(try response(contentType).text(of: Data("Grüße".utf8)) == "Grüße")
    }
  }

  @Test func undecodableTextIsNil() throws {
    #expect(try response("text/plain").text(of: Data([0xFF])) == nil)
    #expect(try response("text/plain; charset=us-ascii").text(of: Data([0xFC])) == nil)
    #expect(try response("text/plain; charset=klingon").text(of: Data("A".utf8)) == nil)
  }
}
