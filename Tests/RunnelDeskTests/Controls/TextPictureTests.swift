import RunnelDesk
import Testing

@Suite struct TextPictureTests {
  @Test(arguments: [
    ("![a cow](cow.png)", "/barn/cow.png", "a cow"), ("![](a/b.jpg) text", "/barn/a/b.jpg", ""),
    ("see ![x](</tmp/my cow.png>)", "/tmp/my cow.png", "x"),
    ("![x](my%20cow.png)", "/barn/my cow.png", "x"),
    ("![x](a.png \"title\")", "/barn/a.png", "x"), ("![x](100%.png)", "/barn/100%.png", "x"),
    ("![x](%FF.png)", "/barn/%FF.png", "x"), ("![a](a.png)![b](b.png)", "/barn/a.png", "a"),
    ("![x](%C3%A9.png)", "/barn/é.png", "x"), ("![x](../up.png)", "/barn/../up.png", "x"),
  ])
  func pictureOfMarkdownIsFound(_ line: String, _ path: String, _ label: String) {
    let picture = TextPicture.markdown(in: line, relativeTo: "/barn")
    #expect(picture == TextPicture(path: path, label: label))
  }

  @Test(arguments: [
    "", "text!", "[a](a.png)", "![a]", "![a]()", "![a](https://x.org/a.png)", "![a](a.png",
    "!(a.png)",
    "![a](%00)", "![a](<>)",
  ])
  func otherLinesHaveNone(_ line: String) {
    #expect(TextPicture.markdown(in: line, relativeTo: "/barn") == nil)
  }

  /// A terminal shows the text alone.
  @MainActor @Test func textStaysInCells() {
    let editor = TextView("![a](a.png)\nmore")
    editor.picture = { TextPicture.markdown(in: $0, relativeTo: "/") }
    #expect(Desk(editor, width: 20, height: 3).text == "![a](a.png)\nmore")
  }
}
