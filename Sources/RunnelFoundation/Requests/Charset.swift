import Foundation
import FoundationNetworking

extension HTTPURLResponse {
  /// The character set that the server declares for the body, or UTF-8 if it declares none.
  var charset: String { textEncodingName ?? "utf-8" }

  /// Returns a body as text; nil if it is not valid in this character set, or if the set is
  /// unknown.
  func text(of body: Data) -> String? {
    Self.encodings[charset.lowercased()].flatMap { String(data: body, encoding: $0) }
  }

  /// The supported encodings by their IANA character set names, in lower case.
  private static let encodings: [String: String.Encoding] = [
    "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
    "utf-16": .utf16, "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
    "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
    "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
    "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253,
    "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS, "iso-2022-jp": .iso2022JP,
  ]
}
