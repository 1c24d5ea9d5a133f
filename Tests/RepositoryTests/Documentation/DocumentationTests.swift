import Foundation
import RunnelTesting
import Testing

@testable import ExampleFiles

/// Checks the documentation: every public name is documented, operators have diagrams, and every
/// Swift example compiles.
@Suite struct DocumentationTests {
  // MARK: - Examples

  /// Compiles each example without warnings, in its own function, with the prelude of its world. An
  /// issue names the example's file and line, as the compiler reports it.
  @Test(arguments: [(ExampleWorld.streams, 230), (.desk, 55), (.http, 60), (.dbus, 7), (.mqtt, 6)])
  func examplesCompile(_ world: ExampleWorld, _ atLeast: Int) async throws {
    let compiler = try Compiler()
    let examples = try Self.blocks().filter { $0.kind == .example && ExampleWorld(of: $0) == world }
    #expect(examples.count >= atLeast)
    let output = try await onThread { try Self.compile(examples, of: world, by: compiler) }
    #expect(output == "", "An example of the documentation does not compile:\n\(output)")
  }

  private static func blocks() throws -> [DocumentationBlock] {
    let sources = try PackageFiles.all(below: "Sources", ending: ".swift")
    // The tutorial's examples are compiled as parts of its app. Other guides show programs.
    return try (sources + ExampleProgram.guides()).flatMap(DocumentationBlock.all(in:))
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
    ("RunnelNetTesting", 10),
    ("RunnelTerminal", 25), ("RunnelFiles", 50), ("RunnelText", 5), ("RunnelNet", 50),
    ("RunnelTLS", 30), ("RunnelGzip", 15), ("RunnelJSON", 50),
    ("RunnelSupervisor", 40), ("RunnelDBus", 50), ("RunnelMQTT", 50),
  ])
  func everyPublicNameIsDocumented(_ module: String, _ atLeast: Int) async throws {
    let compiler = try Compiler()
    let names = try await onThread { try PublicName.all(in: module, by: compiler) }
    #expect(names.count >= atLeast)
    for name in Self.withoutDocumentation(names) {
      Issue.record("\(module): \(name.path.joined(separator: ".")) has no documentation.")
    }
  }

  /// Returns the names without documentation. Code that `@Proxied` writes has the documentation of
  /// the protocol, and an override has that of the overridden member. The compiler writes the
  /// `init(rawValue:)` of an enum.
  private static func withoutDocumentation(_ names: [PublicName]) -> [PublicName] {
    let protocols = Set(names.filter { $0.kind == "swift.protocol" }.map { $0.path[0] })
    let written = Set(protocols.flatMap { ["\($0)Proxy", "\($0)Forwarding"] })
    let requirements = Set(
      names.filter { protocols.contains($0.path[0]) && !$0.documentation.isEmpty }.map(\.path))
    return names.filter {
      $0.documentation.isEmpty && !$0.isOverride && !written.contains($0.path[0])
        && !requirements.contains($0.path) && $0.path.last != "init(rawValue:)"
    }
  }

  // MARK: - Operators

  /// Operators without a diagram, by their signatures. Some leave the stream, so there is no output
  /// to draw. Others are for authors of operators.
  private static let undrawn: Set = [
    "bind(to:)", "bind(to:_:)", "connect()", "debug(_:print:)", "first(isolation:)", "observe(_:)",
    "observe(next:failed:completed:)", "observe(weak:_:)",
    "observe(weak:next:failed:completed:)", "observeNext(_:)", "observeNext(weak:_:)", "start(_:)",
    "start(in:next:end:)", "start(under:next:end:)", "unguarded(_:)",
    "values(buffering:backlog:)",
  ]

  /// Operators without an example. The example of `connect` is in the documentation of its type.
  private static let withoutExample: Set = [
    "connect()", "start(_:)", "start(in:next:end:)", "start(under:next:end:)",
  ]

  @Test func everyOperatorHasADiagramAndAnExample() async throws {
    let compiler = try Compiler()
    let operators = try await onThread {
      try ["RunnelStreams", "RunnelJSON", "RunnelFoundation"].flatMap {
        try PublicName.all(in: $0, by: compiler).filter(\.isOperator)
      }
    }
    #expect(operators.count >= 120)
    // An overload with other kinds or numbers of sources may have a summary only, if another overload
    // has the diagram.
    let described = Set(operators.filter { !$0.hasOnlySummary }.map(\.base))
    for name in operators where !(name.hasOnlySummary && described.contains(name.base)) {
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

  // MARK: - Kinds of blocks

  @Test func linesAreClassifiedAsDiagramOutputOrExample() {
    let kinds = DocumentationBlock.indented(
      in: [
        " Prose.", "", "     source   --1|", "     map      --2|", "", "     numbers.map { $0 }",
        "       .observe()  // comment", "", " That prints", "", "     2", nil, "     let x = 1",
        nil, "     open ──▶ closed",
      ], from: 10, of: "File.swift")
    #expect(kinds.map(\.kind) == [.marble, .example, .output, .example, .drawing])
    #expect(kinds.map(\.line) == [12, 15, 20, 22, 24])
    #expect(kinds[1].lines == ["numbers.map { $0 }", "  .observe()  // comment"])
  }

  @Test func declarationsAreOutsideTheFunction() {
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
        import RunnelJSON
        import RunnelLoop
        import RunnelNet
        import RunnelNetTesting
        import RunnelProxies
        import RunnelStreams
        import RunnelSupervisor
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

  @Test func controlsHTTPAndDBusHaveOwnWorlds() {
    func world(_ file: String, _ lines: String...) -> ExampleWorld {
      ExampleWorld(of: DocumentationBlock(kind: .example, file: file, line: 1, lines: lines))
    }
    #expect(world("Sources/RunnelDesk/Views/View.swift") == .desk)
    #expect(world("Sources/RunnelStreams/Binding/Binder.swift") == .streams)
    #expect(world("README.md", "import Runnel", "import RunnelDesk") == .desk)
    #expect(world("Sources/RunnelNet/HTTP/Server/HTTPServer.swift") == .http)
    #expect(world("Sources/RunnelNet/Listening/Listener.swift") == .streams)
    #expect(world("Sources/RunnelDBus/Values/Variant.swift") == .dbus)
    #expect(world("Sources/RunnelMQTT/Clients/MQTTClient.swift") == .mqtt)
    #expect(ExampleWorld.desk.imports.contains("import RunnelDesk"))
    #expect(!ExampleWorld.streams.imports.contains("import RunnelDesk"))
  }

  /// The compiler finds a file that does not compile, and names its place in the documentation.
  @Test func aBrokenExampleReportsItsLocation() async throws {
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

  /// Compiles on a thread of its own, because the threads that run tests must not block.
  private func onThread<Output: Sendable>(
    _ body: @escaping @Sendable () throws -> Output
  ) async throws -> Output {
    try await ManualContext.onThread { _ in Result { try body() } }.get()
  }
}

extension PublicName {
  /// True when the member creates a stream or transforms one.
  fileprivate var isOperator: Bool {
    ["swift.method", "swift.type.method", "swift.type.property"].contains(kind)
      && ["StreamProtocol", "EventStream", "Connectable"].contains(path[0])
  }
}
