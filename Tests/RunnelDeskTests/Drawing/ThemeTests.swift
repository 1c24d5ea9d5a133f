import Glibc
import RunnelDesk
import Testing

@Suite struct ThemeTests {
  private static let themes: [(String, Theme)] = [
    ("standard", .standard), ("dark", .dark), ("light", .light), ("high", .highContrast),
  ]

  private static func styles(of theme: Theme) -> [(name: String, style: TextStyle)] {
    Mirror(reflecting: theme).children.compactMap { child in
      (child.value as? TextStyle).map { (child.label ?? "", $0) }
    }
  }

  // MARK: Contrast

  /// Returns the relative luminance that WCAG 2 defines; nil for colours of the palette.
  private func luminance(_ color: Color) -> Double? {
    guard case .rgb(let red, let green, let blue) = color.kind else { return nil }
    let parts = [red, green, blue].map { part in
      let value = Double(part) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private func contrast(_ style: TextStyle) throws -> Double {
    let lights = try [style.foreground, style.background].map { try #require(luminance($0)) }
    return (max(lights[0], lights[1]) + 0.05) / (min(lights[0], lights[1]) + 0.05)
  }

  @Test func contrastIsComputedAsTheGuidelinesSay() throws {
    let gray = TextStyle(foreground: .rgb(0x76, 0x76, 0x76), background: .rgb(255, 255, 255))
    #expect(abs(try contrast(gray) - 4.54) < 0.01)
  }

  @Test func highContrastHasSevenToOneEverywhere() throws {
    for (name, style) in Self.styles(of: .highContrast) {
      #expect(try contrast(style) >= 7, "\(name)")
      #expect(style.effects.isDisjoint(with: [.dim, .reverse]), "\(name)")
    }
  }

  @Test(arguments: [("dark", Theme.dark), ("light", .light)])
  func textIsLegible(name: String, theme: Theme) throws {
    for (style, value) in Self.styles(of: theme) {
      let least = style == "disabled" ? 3 : 4.5
      #expect(try contrast(value) >= least, "\(name) \(style)")
      #expect(value.effects.isDisjoint(with: [.dim, .reverse]), "\(name) \(style)")
    }
  }

  @Test func theStandardThemeUsesSixteenColors() {
    for (name, style) in Self.styles(of: .standard) {
      for color in [style.foreground, style.background] {
        switch color.kind {
        case .standard: break
        case .palette(let index): #expect(index < 16, "\(name)")
        case .rgb: Issue.record("\(name) has an RGB colour.")
        }
      }
    }
  }

  // MARK: Text

  @Test(arguments: themes)
  func theTextOfAThemeIsReadBack(name: String, theme: Theme) throws {
    #expect(try Theme(parsing: theme.description, base: .standard) == theme)
    #expect(try Theme(parsing: theme.description, base: .highContrast) == theme)
    let names = theme.description.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names.map(String.init) == Self.styles(of: theme).map(\.name))
  }

  @Test(arguments: [
    ("plain", TextStyle.plain), ("bold", TextStyle(effects: .bold)),
    ("red", TextStyle(foreground: .red)), ("on palette 200", TextStyle(background: .palette(200))),
    (
      "bold  underline palette 7 on #FF8000",
      TextStyle(
        foreground: .white, background: .rgb(255, 128, 0), effects: [.bold, .underline])
    ), ("standard on standard", TextStyle.plain),
  ])
  func stylesAreParsed(text: String, style: TextStyle) throws {
    let theme = try Theme(parsing: "\n # comment\n  header=\(text)  \r\n", base: .dark)
    #expect(theme.header == style)
    #expect(theme.text == Theme.dark.text)
  }

  @Test(arguments: [
    ("header bold", "Write it as"), ("header text = bold", "Write it as"),
    ("= bold", "Write it as"), ("a\"b = bold", "There is no style \"a\"b\""),
    ("heading = bold", "The styles are: text, faint,"),
    ("header =", "is missing"), ("header = on", "after \"on\" is missing"),
    ("header = bald", "\"bald\" is no colour"), ("header = red bold", "Write effects first"),
    ("header = red on blue white", "\"white\" is not expected"),
    ("header = palette 256", "no colour"),
    ("header = palette", "no colour"), ("header = #12345", "no colour"),
    ("header = #+12345", "no colour"), ("header = red on plain", "\"plain\" is no colour"),
  ])
  func mistakesNameTheLine(text: String, message: String) {
    let error = #expect(throws: ThemeError.self) { try Theme(parsing: "text = red\n\n\(text)\n") }
    #expect(error?.line == 3)
    #expect(error?.description.hasPrefix("line 3: ") == true)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func aStyleIsSetOnce() {
    let error = #expect(throws: ThemeError.self) {
      try Theme(parsing: "text = red\ntext = blue")
    }
    #expect(error?.description == "line 2: \"text\" is set twice. Remove one line.")
  }

  // MARK: Files

  @Test func aThemeIsWrittenAndRead() throws {
    var name = Array("/tmp/theme-XXXXXX".utf8CString)
    close(mkstemp(&name))
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    try Theme.light.write(to: path)
    #expect(try Theme(contentsOf: path) == .light)
    let error = #expect(throws: ThemeError.self) { try Theme(contentsOf: "\(path)/none") }
    #expect(error?.line == nil)
    #expect(error?.description.contains("/none cannot be read: Not a directory.") == true)
    #expect(throws: ThemeError.self) { try Theme.light.write(to: "\(path)/none") }
  }
}
