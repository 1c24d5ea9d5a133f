import Testing

@testable import ExampleFiles

/// Compares the guides with the programs in `Examples`, which `Scripts/clients` builds and runs.
@Suite struct ExampleProgramTests {
  private static func guides() throws -> [String] {
    try (PackageFiles.all(below: "Documentation", ending: ".md") + ["README.md"])
      .filter(Excerpt.areAll(in:))
  }

  private static func programs() throws -> [String] {
    try PackageFiles.all(below: "Examples", ending: ".swift")
      .filter { $0 != "Examples/Package.swift" && !$0.contains("/.build/") }
  }

  private static func file(_ program: String) throws -> ProgramFile {
    try ProgramFile(lines: PackageFiles.lines(of: program))
  }

  @Test func blocksAreLinesOfThePrograms() throws {
    let programs = try Set(Self.programs())
    let excerpts = try Self.guides().flatMap(Excerpt.all(in:))
    #expect(excerpts.count >= 10)
    for excerpt in excerpts {
      let place = "\(excerpt.block.file):\(excerpt.block.line)"
      guard let program = excerpt.program, programs.contains(program) else {
        Issue.record("\(place): no link to a program in Examples follows the block.")
        continue
      }
      let file = try Self.file(program)
      #expect(
        file.contains(excerpt.block.lines), "\(place): these are no lines of \(program).")
      if !excerpt.output.isEmpty {
        #expect(
          ProgramFile.lines(file.output ?? [], contain: excerpt.output),
          "\(place): the output after the block is not that of \(program).")
      }
    }
  }

  @Test func everyProgramIsShownInAGuide() throws {
    let shown = try Set(Self.guides().flatMap(Excerpt.all(in:)).compactMap(\.program))
    #expect(try Set(Self.programs()).subtracting(shown) == [])
  }

  @Test func everyProgramIsInThePackageAndHasItsOutput() throws {
    let manifest = try PackageFiles.lines(of: "Examples/Package.swift").joined(separator: "\n")
    var names: Set<Substring> = []
    for program in try Self.programs() {
      let name = program.split(separator: "/").last?.dropLast(".swift".count) ?? ""
      #expect(names.insert(name).inserted, "Two programs have the name \(name).")
      #expect(manifest.contains("\"\(name)\""), "Examples/Package.swift does not contain \(name).")
      #expect(try Self.file(program).output != nil, "\(program) has no comment with its output.")
    }
  }

  @Test(arguments: [
    (["b", "c"], true), (["  d", "e"], true), (["a", "c"], false), (["    e"], false),
    (["f"], false), ([], false),
  ])
  func linesOfAProgramAreFound(_ excerpt: [String], _ isFound: Bool) {
    let file = ProgramFile(
      lines: ["a", "b", "c", "    d", "  e", "", "// Output:", "// f", "//", ""])
    #expect(file.contains(excerpt) == isFound)
    #expect(file.output == ["f", ""])
  }
}
