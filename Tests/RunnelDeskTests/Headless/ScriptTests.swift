import RunnelDesk
import Testing

@Suite struct ScriptTests {
  private func steps(_ text: String) throws -> [ScriptStep] {
    try Script(text).steps.map(\.step)
  }

  @Test func parsesWordsCommentsAndQuotes() throws {
    #expect(try steps("").isEmpty)
    #expect(try steps("  # nothing\n\n\t\n").isEmpty)
    #expect(
      try steps("paste \"a b\\n\\t\\\"\\\\# c\" # rest") == [.send([.paste("a b\n\t\"\\# c")])])
    #expect(try steps("paste a#b") == [.send([.paste("a#b")])])
    #expect(try steps("expect \"\"") == [.expect("")])
    #expect(try steps("expect 世界") == [.expect("世界")])
  }

  @Test func typeSendsOneKeyPerCharacter() throws {
    #expect(
      try steps("type \"ä\\n\\t\"") == [
        .send([.key(KeyPress(.character("ä"))), .key(KeyPress(.enter)), .key(KeyPress(.tab))])
      ])
    #expect(
      try steps("key ctrl+s up") == [
        .send([.key(KeyPress(.character("s"), .control)), .key(KeyPress(.up))])
      ])
  }

  @Test func placesAreCellsOrTexts() throws {
    #expect(try steps("click 3,4") == [.click(.cell(Point(x: 3, y: 4)), count: 1)])
    #expect(try steps("doubleclick 3,x") == [.click(.text("3,x"), count: 2)])
    #expect(try steps("tripleclick Note") == [.click(.text("Note"), count: 3)])
    #expect(try steps("drag a 1,2") == [.drag(.text("a"), .cell(Point(x: 1, y: 2)))])
    #expect(try steps("wheel down a") == [.wheel(.down, .text("a"))])
  }

  @Test(arguments: [
    ("advance 200ms", Duration.milliseconds(200)), ("advance 1.5s", .milliseconds(1500)),
    ("advance 2min", .seconds(120)), ("advance 1h", .seconds(3600)), ("advance 0s", .zero),
  ])
  func parsesTimes(_ line: String, _ duration: Duration) throws {
    #expect(try steps(line) == [.advance(duration)])
  }

  @Test func screenLinesFollowTheirStep() throws {
    let script = try Script("settle\nexpect-screen\n|a  \n|\n| b\nscreen")
    #expect(script.steps.map(\.number) == [1, 2, 6])
    #expect(
      script.steps.map(\.step) == [
        .settle, .expectScreen(["a", "", " b"]), .print(withStyles: false),
      ])
  }

  @Test func parsesTheOtherSteps() throws {
    let text = """
      resize 80x24
      focus in
      focus out
      write f t
      write f t 2026-01-31
      write f t 2000-02-29
      remove f
      move f g
      refuse t
      expect-cursor 1,2
      expect-clipboard c
      expect-file f t
      expect-no-file f
      expect-end
      styles
      picture f
      """
    #expect(
      try steps(text) == [
        .send([.resize(Size(width: 80, height: 24))]), .send([.focus(true)]),
        .send([.focus(false)]), .write("f", "t", time: nil), .write("f", "t", time: 1_769_817_600),
        .write("f", "t", time: 951_782_400), .remove("f"), .move("f", "g"), .refuse("t"),
        .expectCursor(Point(x: 1, y: 2)), .expectClipboard("c"), .expectFile("f", "t"),
        .expectFile("f", nil), .expectEnd, .print(withStyles: true),
        .picture("f"),
      ])
  }

  @Test(arguments: [
    (
      "settle\ntype a b", 2,
      "Write the step \"type\" as: type TEXT. A text with spaces needs quotes."
    ),
    ("key ctrl+nothing", 1, "No key is named \"ctrl+nothing\". Write it as ctrl+s or pagedown."),
    ("\n\npaste \"a", 3, "The closing quote is missing."),
    ("paste \"\\x\"", 1, "The only escapes are \\n, \\t, \\\" and \\\\."),
    ("settle\n|a", 2, "Lines that begin with \"|\" must follow expect-screen."),
    ("resize 80", 1, "A size has the form WIDTHxHEIGHT, such as 80x24."),
    ("resize 99999999999999999999x1", 1, "A size has the form WIDTHxHEIGHT, such as 80x24."),
    ("advance 5", 1, "A duration has the form 200ms, 1.5s, 2min or 1h."),
    ("advance -1s", 1, "A duration has the form 200ms, 1.5s, 2min or 1h."),
    ("advance nans", 1, "A duration has the form 200ms, 1.5s, 2min or 1h."),
    ("expect-cursor here", 1, "expect-cursor takes COLUMN,ROW."),
    ("write f t 2026-13-01", 1, "A date has the form YEAR-MONTH-DAY, such as 2026-01-31."),
    (
      "focus away", 1,
      "Write the step \"focus\" as: focus in; focus out. A text with spaces needs quotes."
    ),
  ])
  func anErrorStatesItsLine(_ text: String, _ line: Int, _ message: String) {
    #expect(throws: ScriptError(line: line, message)) { try Script(text) }
  }

  @Test func anUnknownStepListsTheSteps() {
    let error = #expect(throws: ScriptError.self) { try Script("a\nb") }
    #expect(error?.line == 1)
    let names = error?.message.split(whereSeparator: { " ,.:".contains($0) }).dropFirst(8)
    #expect(error?.message.hasPrefix("There is no step \"a\". The steps are: type, paste,") == true)
    #expect(names.map { Set($0).count == $0.count } == true)
    // Each name is one that the parser knows: it asks for words, or accepts none.
    for name in names ?? [] {
      do throws(ScriptError) {
        _ = try Script(String(name))
      } catch {
        #expect(error.message.hasPrefix("Write the step \"\(name)\" as: \(name)"), "\(error)")
      }
    }
  }

  @Test func anUncaughtErrorIsASentence() {
    let error = ScriptError(line: 2, "\"9\" is not on the screen.")
    #expect(String(reflecting: error) == "The script failed in line 2: \"9\" is not on the screen.")
    #expect("\(error)" == "line 2: \"9\" is not on the screen.")
  }
}
