import Foundation
import RunnelTesting
import Testing

@testable import ExampleFiles

/// What is promised of the documentation: nothing public is left out, operators are drawn, and what
/// looks like Swift compiles.
@Suite struct DocumentationTests {
  // MARK: - Examples

  /// Each example is compiled, without a warning, in a function of its own, with the prelude of its world.
  /// The issue names the place of the example, in the compiler's words.
  @Test(arguments: [(ExampleWorld.streams, 190), (.desk, 55)])
  func examplesCompile(_ world: ExampleWorld, _ atLeast: Int) async throws {
    let compiler = try Compiler()
    let examples = try Self.blocks().filter { $0.kind == .example && ExampleWorld(of: $0) == world }
    #expect(examples.count >= atLeast)
    let output = try await onThread { try Self.compile(examples, of: world, by: compiler) }
    #expect(output == "", "An example of the documentation does not compile:\n\(output)")
  }

  private static func blocks() throws -> [DocumentationBlock] {
    let sources = try PackageFiles.all(below: "Sources", ending: ".swift")
    // What the tutorial quotes is compiled as a part of the app that it is about.
    let guides =
      try PackageFiles.all(below: "Documentation", ending: ".md")
      .filter { $0 != "Documentation/Tutorial.md" } + ["README.md"]
    return try (sources + guides).flatMap(DocumentationBlock.all(in:))
  }

  private static func compile(
    _ examples: [DocumentationBlock], of world: ExampleWorld, by compiler: Compiler
  ) throws -> String {
    try PackageFiles.withTemporaryFolder { folder in
      var files = [PackageFiles.root.appending(path: world.prelude).path()]
      for (number, example) in examples.enumerated() {
        let file = folder.appending(path: "Example\(number).swift")
        try ExampleFile(example).text.write(to: file, atomically: false, encoding: .utf8)
        files.append(file.path())
      }
      let (status, output) = compiler.compile(files)
      return status == 0 || !output.isEmpty ? output : "The compiler ended with \(status)."
    }
  }

  // MARK: - Public names

  @Test(arguments: [
    ("RunnelStreams", 50), ("RunnelCollections", 50), ("RunnelBus", 50), ("RunnelLoop", 50),
    ("RunnelProxies", 20), ("RunnelDesk", 50), ("RunnelFoundation", 20), ("RunnelTesting", 50),
    ("RunnelTerminal", 25), ("Runnel", 12),
  ])
  func everyPublicNameIsDocumented(_ module: String, _ atLeast: Int) async throws {
    let compiler = try Compiler()
    let names = try await onThread { try PublicName.all(in: module, by: compiler) }
    #expect(names.count >= atLeast)
    for name in Self.withoutDocumentation(names) {
      Issue.record("\(module): \(name.path.joined(separator: ".")) has no documentation.")
    }
  }

  /// Those that somebody has left undocumented. What `@Proxied` writes has the words of the protocol, and an
  /// override those of what it overrides.
  private static func withoutDocumentation(_ names: [PublicName]) -> [PublicName] {
    let protocols = Set(names.filter { $0.kind == "swift.protocol" }.map { $0.path[0] })
    let written = Set(protocols.flatMap { ["\($0)Proxy", "\($0)Forwarding"] })
    let requirements = Set(
      names.filter { protocols.contains($0.path[0]) && !$0.documentation.isEmpty }.map(\.path))
    return names.filter {
      $0.documentation.isEmpty && !$0.isOverride && !written.contains($0.path[0])
        && !requirements.contains($0.path)
    }
  }

  // MARK: - Operators

  /// By their signatures. Where a stream is left, nothing comes out that could be drawn; and what happens at the seam
  /// between two operators is for those who write some.
  private static let undrawn: Set = [
    "bind(to:)", "bind(to:_:)", "connect()", "debug(_:print:)", "first(isolation:)", "observe(_:)",
    "observe(next:failed:completed:)", "observe(weak:_:)",
    "observe(weak:next:failed:completed:)", "observeNext(_:)", "observeNext(weak:_:)", "start(_:)",
    "start(in:next:end:)", "start(under:next:end:)", "unguarded(_:)", "values(buffering:)",
  ]

  /// The example of `connect` is that of its type.
  private static let withoutExample: Set = [
    "connect()", "start(_:)", "start(in:next:end:)", "start(under:next:end:)",
  ]

  @Test func everyOperatorIsDrawnAndHasAnExample() async throws {
    let compiler = try Compiler()
    let operators = try await onThread {
      try ["RunnelStreams", "RunnelFoundation"].flatMap {
        try PublicName.all(in: $0, by: compiler).filter(\.isOperator)
      }
    }
    #expect(operators.count >= 120)
    // An overload that differs in nothing but the number of its sources leans on the one that is drawn.
    let overload = #/^ *The same for (two|three|four) (other )?(sources|streams)\.$/#
    for name in operators where name.documentation.first?.contains(overload) != true {
      let blocks = DocumentationBlock.indented(in: name.documentation, from: 1, of: "")
      let full = name.signature
      if !Self.undrawn.contains(full) {
        let rows = blocks.filter { $0.kind == .marble }.flatMap(\.lines)
        #expect(
          rows.contains { $0.hasPrefix(name.base) },
          "\(full) needs a marble diagram with a row that begins with its name.")
      }
      if !Self.withoutExample.contains(full) {
        let lines = blocks.filter { $0.kind == .example }.flatMap(\.lines)
        #expect(lines.contains { $0.contains(name.base) }, "\(full) needs an example that uses it.")
      }
    }
    let exceptions = Self.undrawn.union(Self.withoutExample)
    #expect(exceptions.subtracting(operators.map(\.signature)) == [])
  }

  // MARK: - Telling blocks apart

  @Test func anExampleIsWhatIsNeitherDiagramNorOutput() {
    let kinds = DocumentationBlock.indented(
      in: [
        " Prose.", "", "     source   --1|", "     map      --2|", "", "     numbers.map { $0 }",
        "       .observe()  // comment", "", " That prints", "", "     2", nil, "     let x = 1",
      ], from: 10, of: "File.swift")
    #expect(kinds.map(\.kind) == [.marble, .example, .output, .example])
    #expect(kinds.map(\.line) == [12, 15, 20, 22])
    #expect(kinds[1].lines == ["numbers.map { $0 }", "  .observe()  // comment"])
  }

  @Test func declarationsStandOutsideOfTheFunction() {
    let block = DocumentationBlock(
      kind: .example, file: "A.md", line: 7,
      lines: [
        "@MainActor", "final class Box {", "}", "@MainActor extension Box {", "}",
        "let box = Box()",
      ])
    #expect(
      ExampleFile(block).text == """
        import Glibc
        import RunnelBus
        import RunnelCollections
        import RunnelFiles
        import RunnelLoop
        import RunnelProxies
        import RunnelStreams
        import RunnelTesting
        import RunnelText
        import Testing
        #sourceLocation(file: "A.md", line: 7)
        @MainActor
        fileprivate final class Box {
        }
        #sourceLocation(file: "A.md", line: 10)
        @MainActor fileprivate extension Box {
        }
        extension Screen {
        fileprivate func example() async throws {
        #sourceLocation(file: "A.md", line: 12)
        let box = Box()
        }
        }

        """)
  }

  @Test func controlsHaveAWorldOfTheirOwn() {
    func world(_ file: String, _ lines: String...) -> ExampleWorld {
      ExampleWorld(of: DocumentationBlock(kind: .example, file: file, line: 1, lines: lines))
    }
    #expect(world("Sources/RunnelDesk/Views/View.swift") == .desk)
    #expect(world("Sources/RunnelStreams/Binding/Binder.swift") == .streams)
    #expect(world("README.md", "import Runnel", "import RunnelDesk") == .desk)
    #expect(ExampleWorld.desk.imports.contains("import RunnelDesk"))
    #expect(!ExampleWorld.streams.imports.contains("import RunnelDesk"))
  }

  /// A file that does not compile is found, and named by its place in the documentation.
  @Test func aBrokenExampleIsNamedByItsPlace() async throws {
    let compiler = try Compiler()
    let blocks = [
      DocumentationBlock(
        kind: .example, file: "Good.swift", line: 3, lines: ["numbers.observeNext { show($0) }"]),
      DocumentationBlock(
        kind: .example, file: "Bad.swift", line: 40,
        lines: [
          "let names = PushStream<String>()", "Task.detached { names.next(\"Ann\") }",
          "names.next(\"Bob\")",
        ]),
      DocumentationBlock(
        kind: .example, file: "Idle.swift", line: 5, lines: ["numbers.map { $0 + 1 }"]),
    ]
    let output = try await onThread { try Self.compile(blocks, of: .streams, by: compiler) }
    #expect(output.contains("Bad.swift:41:"))
    #expect(output.contains("Idle.swift:5:"))
    #expect(!output.contains("Good.swift"))
  }

  /// Compiles on a thread of its own: the threads that tests run on are not for waiting.
  private func onThread<Output: Sendable>(
    _ body: @escaping @Sendable () throws -> Output
  ) async throws -> Output {
    try await ManualContext.onThread { _ in Result { try body() } }.get()
  }
}

extension PublicName {
  /// Whether it makes a stream, or makes one of another.
  fileprivate var isOperator: Bool {
    ["swift.method", "swift.type.method", "swift.type.property"].contains(kind)
      && ["StreamProtocol", "EventStream", "Connectable"].contains(path[0])
  }
}
