import RunnelFiles
import Testing

@Suite struct ManualPageTests {
  @Test func charactersOfManAreEscaped() {
    let page = ManualPage("my-tool", help: ".A \\ HEADING\n  .SH no\n  'x' \\fB~^`\n")
    #expect(
      page.text == """
        .TH MY\\-TOOL 1
        .SH .A \\e HEADING
        .nf
        \\&.SH no
        \\&\\(aqx\\(aq \\efB\\(ti\\(ha\\(ga
        \\&

        """)
  }

  @Test func indentationAndLineBreaksMayDiffer() {
    let page = ManualPage("x", help: "A\r\n one\r\n\ttwo\n    three")
    #expect(page.text == ".TH X 1\n.SH A\n.nf\n\\&one\n\\&\ttwo\n\\&  three\n")
  }

  @Test func emptyHelpIsAnEmptyPage() {
    #expect(ManualPage("x", help: "").text == ".TH X 1\n\\&\n")
  }
}
