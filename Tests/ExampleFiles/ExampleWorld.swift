/// The environment of an example: its implicit imports, and a prelude that is compiled with it.
///
/// The names of controls conflict with declarations in the examples of streams, so controls have a
/// world of their own.
enum ExampleWorld: String, CaseIterable {
  /// The world of streams.
  case streams = "Prelude"
  /// The world of controls and of the terminal.
  case desk = "DeskPrelude"

  /// Chooses the world of an example: that of controls if it documents or imports them.
  init(of example: DocumentationBlock) {
    let places = ["Sources/RunnelDesk/", "Sources/RunnelTerminal/", "Documentation/Desk.md"]
    let isThere = places.contains { example.file.hasPrefix($0) }
    self = isThere || example.lines.contains("import RunnelDesk") ? .desk : .streams
  }

  /// The path of the prelude, relative to the package.
  var prelude: String { "Tests/ExampleFiles/\(rawValue).swift" }

  /// The implicit imports of an example.
  var imports: [String] {
    let modules = [
      "Glibc", "RunnelBus", "RunnelCollections", "RunnelFiles", "RunnelLoop", "RunnelNet",
      "RunnelProxies", "RunnelStreams", "RunnelTesting", "RunnelText", "Testing",
    ]
    let controls = self == .desk ? ["RunnelDesk", "RunnelTerminal"] : []
    return (modules + controls).map { "import \($0)" }
  }
}
