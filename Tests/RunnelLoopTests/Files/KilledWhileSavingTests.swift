import Glibc
import RunnelLoop
import RunnelTesting
import Testing

@Suite struct KilledWhileSavingTests {
  /// A process that saves as fast as it can is killed, again and again: the file is always whole, and
  /// at least as new as what the process has said that it had saved.
  @Test func theFileIsAlwaysWhole() async {
    let folder = TemporaryFolder()
    folder.write("a.txt", "0\n1")
    let path = folder["a.txt"]
    var random = SeededGenerator(seed: 7)
    var number = 0
    for round in 0..<60 {
      let saves = Int.random(in: 1...6, using: &random)
      let last = await withFixture(["saving", path, "\(number)"]) { fixture in
        var said: String?
        for _ in 0..<saves { said = fixture.readLine() }
        fixture.send(.kill)
        _ = fixture.wait()
        return fixture.remainingLines().last ?? said
      }
      guard let text = try? SafeFile(path).contents().text, let version = Version(text) else {
        Issue.record("Round \(round): the file is torn.")
        return
      }
      #expect(Int(last ?? "").map { $0...($0 + 1) ~= version.number } == true, "\(last ?? "")")
      number = version.number
      // Where it was killed in the middle, something is left.
      #expect((try? Folder(folder.path).cleanUp()) == [])
      #expect((try? folder.names()) == ["a.txt"])
    }
  }

  /// What the fixture saves, if it is whole.
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
