import Foundation

/// A program that runs the examples of one world. Each example is identified by its place in its
/// guide.
struct ExampleProgram {
  let world: ExampleWorld
  private let examples: [DocumentationBlock]

  /// Writes a folder for each world, with a file for each example, the prelude, and a `main.swift`.
  static func write(into folder: URL) throws {
    let guides = try guides()
    let examples = try guides.flatMap(DocumentationBlock.all(in:))
    try requireRuns(of: examples)
    for world in [ExampleWorld.streams, .desk] {
      let program = ExampleProgram(
        world: world, examples: examples.filter { ExampleWorld(of: $0) == world })
      try program.write(
        into: folder.appending(path: world == .desk ? "DeskExamples" : "StreamExamples"))
    }
  }

  /// Returns the guides whose examples run here, by their paths relative to the package. The examples
  /// of the others are programs in `Examples`.
  static func guides() throws -> [String] {
    try (PackageFiles.all(below: "Documentation", ending: ".md") + ["README.md"])
      .filter { try ExampleRun.exceptions[$0] == nil && !Excerpt.areAll(in: $0) }
  }

  /// Throws unless each ``ExampleRun`` belongs to exactly one example.
  private static func requireRuns(of examples: [DocumentationBlock]) throws {
    for (guide, runs) in ExampleRun.all {
      for run in runs {
        let count = examples.count { $0.file == guide && $0.lines.contains(run.line) }
        if count != 1 { throw StrayRun(guide: guide, line: run.line, count: count) }
      }
    }
  }

  private func write(into folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, to name: String) throws {
      try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
    }
    let prelude = try PackageFiles.lines(of: world.prelude).joined(separator: "\n")
    try write(prelude, to: "Prelude.swift")
    for (number, example) in examples.enumerated() {
      let file = ExampleFile(example, run: ExampleRun.of(example) ?? ExampleRun(line: ""))
      try write(file.text + entry(number, file), to: "Example\(number).swift")
    }
    try write(main, to: "main.swift")
  }

  /// Returns a function by which `main.swift` calls an example. The example's own function is
  /// private.
  private func entry(_ number: Int, _ file: ExampleFile) -> String {
    let call = file.isAsynchronous ? "try await Screen().example()" : "try Screen().example()"
    let task = "EventLoop.main.run(until: EventStream<Void, any Error>.task { \(call) })"
    return """
      #sourceLocation()
      @MainActor func example\(number)() throws {
        \(file.isAsynchronous ? "try \(task)" : call)
      }

      """
  }

  /// The program's main file. It lists the places of the examples, or runs the example at a place
  /// and then the main loop briefly, so that the example's pending work finishes.
  private var main: String {
    let entries = examples.enumerated().map { "  (\"\($1.file):\($1.line)\", example\($0))," }
    return """
      import Glibc
      import RunnelLoop

      let examples: [(place: String, run: @MainActor () throws -> Void)] = [
      \(entries.joined(separator: "\n"))
      ]
      guard CommandLine.arguments.count == 2, let place = CommandLine.arguments.last else {
        for example in examples { print(example.place) }
        exit(0)
      }
      guard let example = examples.first(where: { $0.place == place }) else {
        fatalError("There is no example at \\(place).")
      }
      try example.run()
      EventLoop.main.run(for: .milliseconds(5))

      """
  }
}

/// An error: the line of an ``ExampleRun`` occurs in no example of its guide, or in several.
struct StrayRun: Error, CustomStringConvertible {
  let guide: String
  let line: String
  let count: Int

  var description: String {
    "The line \"\(line)\" of an ExampleRun occurs in \(count) examples of \(guide), not in one."
  }
}
