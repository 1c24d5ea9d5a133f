import RunnelStreams
import RunnelTesting
import Testing

@Suite struct MarbleParserTests {
  private func events(_ string: String) throws -> [String] {
    try MarbleDiagram(parsing: string).marks.map { "\($0.frame):\($0.event)" }
  }

  @Test func parsesTheGrammar() throws {
    #expect(try events("").isEmpty)
    #expect(try events("---").isEmpty)
    #expect(try events("--a-b-|") == ["2:next(a)", "4:next(b)", "6:completed"])
    #expect(try events("a-X") == ["0:next(a)", "2:failed(\(MarbleFailure()))"])
    #expect(try events("a-#--") == ["0:next(a)", "2:failed(\(MarbleFailure()))"])
    #expect(try events("-(ab|)") == ["1:next(a)", "1:next(b)", "1:completed"])
  }

  @Test func groupTakesOneFrame() throws {
    #expect(try events("(abc)-d") == ["0:next(a)", "0:next(b)", "0:next(c)", "2:next(d)"])
    #expect(try events("-<twelve><13>|") == ["1:next(twelve)", "2:next(13)", "3:completed"])
    #expect(try events("(<a>>b><>)<X>") == ["0:next(a>b)", "0:next()", "1:next(X)"])
  }

  @Test func ignoresWhiteSpaceOutsideOfNames() throws {
    #expect(try events(" - -\ta -(b c )|\n") == events("--a-(bc)|"))
    #expect(try events("<a b>") == ["0:next(a b)"])
  }

  @Test func parsesTheStartOfObservation() throws {
    let diagram = try MarbleDiagram(parsing: "-a-^-b")
    #expect(diagram.observation == 3)
    #expect(diagram.marks.map(\.frame) == [1, 5])
    #expect(try MarbleDiagram(parsing: "-(^a)b").marks.map(\.frame) == [1, 2])
    #expect(try MarbleDiagram(parsing: "a").observation == nil)
  }

  @Test func marksHavePositions() throws {
    let marks = try MarbleDiagram(parsing: " -a (<bc> d)|").marks
    #expect(marks.map(\.position) == [3, 6, 11, 13])
  }

  @Test(
    arguments: [
      ("-a-(b-|", .timeInGroup, 6),
      ("-a-(bc", .unclosedGroup, 4),
      ("-a-)", .unopenedGroup, 4),
      ("-((a))", .nestedGroup, 3),
      ("-(  )", .emptyGroup, 2),
      ("--<abc", .unclosedName, 3),
      ("<a>>", .unclosedName, 1),
      ("-a>", .unopenedName, 3),
      ("-|-a", .markAfterEnd, 4),
      ("-X|", .markAfterEnd, 3),
      ("(|a)", .markAfterEnd, 3),
      ("-|-^", .markAfterEnd, 4),
      ("-^-^", .secondObservation, 4),
      ("  -  )", .unopenedGroup, 6),
    ] as [(String, MarbleError.Mistake, Int)])
  func mistakesThrowWithTheirPosition(string: String, mistake: MarbleError.Mistake, position: Int) {
    let error = #expect(throws: MarbleError.self) { try MarbleDiagram(parsing: string) }
    #expect(error?.mistake == mistake)
    #expect(error?.position == position)
    #expect(error?.string == string)
  }

  @Test func messageNamesThePositionAndTheFix() {
    let error = #expect(throws: MarbleError.self) { try MarbleDiagram(parsing: "-a-(bc") }
    #expect(
      error?.description == """
        The marble string "-a-(bc" is wrong at position 4: the '(' here is never closed. \
        Put a ')' after the group.
        """)
  }
}
