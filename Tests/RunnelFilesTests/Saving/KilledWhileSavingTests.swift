import Glibc
import RunnelFiles
import RunnelLoop
import RunnelTesting
import TestSupport
import Testing

@Suite struct KilledWhileSavingTests {
  /// A process that saves in a loop is killed many times. The file is always complete, and at least
  /// as new as the last version that the process has reported.
  @Test func fileIsAlwaysComplete() async {
    let folder = TemporaryFolder()
    folder.write("a.txt", "0\n1")
    let path = folder["a.txt"]
    var random = SeededGenerator(seed: 7)
    var number = 0
    for round in seeds(10) {
      let saves = Int.random(in: 1...6, using: &random)
      let last = await withFixture(["saving", path, "\(number)"]) { fixture in
        var reported: String?
        for _ in 0..<saves { reported = fixture.readLine() }
        fixture.send(.kill)
        _ = fixture.wait()
        return fixture.remainingLines().last ?? reported
      }
      guard let text = try? SafeFile(path).contents().text, let version = Version(text) else {
        Issue.record("Round \(round): the file is torn.")
        return
      }
      #expect(Int(last ?? "").map { $0...($0 + 1) ~= version.number } == true, "\(last ?? "")")
      number = version.number
      // A process that is killed during a save leaves a provisional file.
      #expect((try? Folder(folder.path).cleanUp()) == [])
      #expect((try? folder.names()) == ["a.txt"])
    }
  }

  /// A process that adds lines is killed many times, while another one replaces the file. All lines
  /// that were reported are kept.
  @Test func noLineIsLostOrDuplicated() async throws {
    let folder = TemporaryFolder()
    let path = folder["a.txt"]
    var random = SeededGenerator(seed: 11)
    for round in 0..<40 {
      folder.write("a.txt", "start\n")
      let (before, after) = (
        Int.random(in: 1...4, using: &random), Int.random(in: 0...3, using: &random)
      )
      let isAlone = round % 2 == 0
      let reported = await withFixture(["updating", path]) { fixture in
        var reported: String?
        for _ in 0..<before { reported = fixture.readLine() }
        if !isAlone {
          folder.write("theirs", "theirs\n")
          folder.move("theirs", to: "a.txt")
        }
        for _ in 0..<after { reported = fixture.readLine() }
        fixture.send(.kill)
        _ = fixture.wait()
        return fixture.remainingLines().last ?? reported
      }
      try Folder(folder.path).cleanUp()
      let names = try folder.names()
      let lines = try SafeFile(path).contents().text.split(separator: "\n")
      let count = lines.count { $0 == "mine" }
      let context: Comment = "round \(round), \(names), \(lines), reported \(reported ?? "")"
      #expect(lines.allSatisfy { ["start", "theirs", "mine"].contains($0) }, context)
      #expect(names.allSatisfy { $0.hasPrefix("a") }, context)
      if isAlone {
        let number = Int(reported ?? "") ?? -1
        #expect(names == ["a.txt"] && number...number + 1 ~= count, context)
      } else {
        let texts = try names.map { try SafeFile(folder[$0]).contents().text }
        #expect(texts.contains { $0.hasPrefix("theirs\n") }, context)
      }
      for name in names { folder.delete(name) }
    }
  }

  /// A version of the fixture, or nil if the text is incomplete.
  private struct Version {
    let number: Int

    init?(_ text: String) {
      let lines = text.split(separator: "\n")
      guard let count = lines.last.flatMap({ Int($0) }), lines.count == count + 1,
        let number = Int(lines[0]), lines.dropLast().allSatisfy({ $0 == lines[0] })
      else { return nil }
      self.number = number
    }
  }
}
