/// What an example lives in: what it need not import, and a prelude that is compiled with it.
///
/// Controls have names that examples of streams use for things of their own, so theirs is another world.
enum ExampleWorld: String, CaseIterable {
  /// That of streams.
  case streams = "Prelude"
  /// That of controls, and of the terminal.
  case desk = "DeskPrelude"

  /// The world of an example: that of controls where it stands with them, or imports them.
  init(of example: DocumentationBlock) {
    let places = ["Sources/RunnelDesk/", "Sources/RunnelTerminal/", "Documentation/Desk.md"]
    let isThere = places.contains { example.file.hasPrefix($0) }
    self = isThere || example.lines.contains("import RunnelDesk") ? .desk : .streams
  }

  /// The file of the prelude, from the folder of the package on.
  var prelude: String { "Tests/ExampleFiles/\(rawValue).swift" }

  /// What an example need not say.
  var imports: [String] {
    let modules = [
      "Glibc", "RunnelBus", "RunnelCollections", "RunnelFiles", "RunnelLoop", "RunnelProxies",
      "RunnelStreams", "RunnelTesting", "RunnelText", "Testing",
    ]
    let controls = self == .desk ? ["RunnelDesk", "RunnelTerminal"] : []
    return (modules + controls).map { "import \($0)" }
  }
}
