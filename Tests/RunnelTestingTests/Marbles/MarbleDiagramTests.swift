import RunnelStreams
import RunnelTesting
import Testing

@Suite struct MarbleDiagramTests {
  @Test(
    arguments: [
      ("--a-b-|", "--a-b-|"),
      ("--a-b---", "--a-b"),
      (" -- a #", "--aX"),
      ("-(a)-(b c)", "-a-(bc)"),
      ("-(a^)", "-(^a)"),
      ("--^--", "--^"),
      ("-<a>-<10>-<X>-< >", "-a-<10>-<X>-< >"),
      ("<a>>b>", "<a>>b>"),
      ("----", ""),
      ("", ""),
    ])
  func writesTheShortestForm(string: String, shortest: String) throws {
    #expect(try MarbleDiagram(parsing: string).description == shortest)
  }

  /// Descriptions parse to the same events, for any names.
  @Test func descriptionParsesToTheSameEvents() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let diagram = Self.diagram(using: &random)
      let read = try MarbleDiagram(parsing: diagram.description)
      #expect(read.description == diagram.description, "seed \(seed)")
      #expect(read.marks.map(\.frame) == diagram.marks.map(\.frame), "seed \(seed)")
      #expect(read.marks.map(\.event) == diagram.marks.map(\.event), "seed \(seed)")
      #expect(read.observation == diagram.observation, "seed \(seed)")
    }
  }

  /// Any invalid string throws an error with a position within the string.
  @Test func anyStringParsesOrThrows() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let alphabet = Array("--ab() |X#^<>")
      let string = String(
        (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
          alphabet.randomElement(using: &random)
        })
      do throws(MarbleError) {
        let diagram = try MarbleDiagram(parsing: string)
        #expect(diagram.marks.allSatisfy { (1...string.count).contains($0.position) }, "\(string)")
      } catch {
        #expect((1...string.count).contains(error.position), "\(error)")
      }
    }
  }

  private static func diagram(using random: inout SeededGenerator) -> MarbleDiagram {
    let names = ["a", "b", "c", "10", "X", "|", "^", "-", "(", "", " ", ">", "<", "a>", ">>b", "é"]
    var events: [(frame: Int, event: StreamEvent<String, MarbleFailure>)] = []
    var frame = 0
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      frame += Int.random(in: 0...3, using: &random)
      events.append((frame, .next(names.randomElement(using: &random) ?? "")))
    }
    let last = frame
    switch Int.random(in: 0...3, using: &random) {
    case 0: events.append((last, .completed))
    case 1: events.append((last + 2, .failed(MarbleFailure())))
    default: break
    }
    let observation = Bool.random(using: &random) ? Int.random(in: 0...last, using: &random) : nil
    return MarbleDiagram(events, observation: observation)
  }
}
