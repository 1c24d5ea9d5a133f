import RunnelDesk
import Testing

@Suite struct KeyPressTests {
  @Test(arguments: [
    ("esc", "escape"), ("ctrl+Return", "ctrl+enter"), ("shift+del", "shift+delete"),
  ])
  func otherNamesOfKeysAreUnderstood(_ name: String, _ description: String) {
    #expect(KeyPress(name)?.description == description)
  }

  @Test(arguments: [
    ("ctrl+s", KeyPress(.character("s"), .control)), ("a", KeyPress(.character("a"))),
    ("A", KeyPress(.character("A"))), ("enter", KeyPress(.enter)),
    ("ctrl+alt+shift+super+f12", KeyPress(.function(12), [.control, .alt, .shift, .super])),
    ("alt+left", KeyPress(.left, .alt)), ("space", KeyPress(.character(" "))),
    ("ctrl+plus", KeyPress(.character("+"), .control)), ("pagedown", KeyPress(.pageDown)),
    ("f35", KeyPress(.function(35))), ("👍🏽", KeyPress(.character("👍🏽"))),
    ("ctrl+-", KeyPress(.character("-"), .control)),
  ])
  func descriptionAndParserRoundTrip(_ text: String, _ press: KeyPress) {
    #expect(press.description == text)
    #expect(KeyPress(text) == press)
  }

  @Test func namesMayBeCapitalised() {
    #expect(KeyPress("Ctrl+Shift+PageUp") == KeyPress(.pageUp, [.control, .shift]))
  }

  @Test(arguments: ["", "+", "ctrl+", "ctrl++", "hyper+x", "f36", "f0", "ab", "ctrl", "+s"])
  func unknownNamesAreNil(_ text: String) {
    #expect(KeyPress(text) == nil)
  }

  @Test func textIsNilForCommands() {
    #expect(KeyPress(.character("ä")).text == "ä")
    #expect(KeyPress(.character("Ä"), .shift).text == "Ä")
    #expect(KeyPress(.character("a"), .control).text == nil)
    #expect(KeyPress(.character("a"), [.shift, .alt]).text == nil)
    #expect(KeyPress(.enter).text == nil)
  }
}
