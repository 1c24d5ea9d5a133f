/// The environment of an example: its implicit imports, and a prelude that is compiled with it.
///
/// The names of controls, servers and clients conflict with declarations in the examples of streams,
/// so controls and HTTP have worlds of their own. In the world of HTTP are examples of documentation
/// comments only, which are compiled and not run.
enum ExampleWorld: String, CaseIterable {
  /// The world of streams and sockets.
  case streams = "Prelude"
  /// The world of controls and of the terminal.
  case desk = "DeskPrelude"
  /// The world of HTTP servers and clients.
  case http = "HTTPPrelude"

  /// Chooses the world of an example: that of controls if it documents or imports them, and that of
  /// HTTP if it documents HTTP.
  init(of example: DocumentationBlock) {
    func isIn(_ places: [String]) -> Bool { places.contains { example.file.hasPrefix($0) } }
    if isIn(Self.deskPlaces) || example.lines.contains("import RunnelDesk") {
      self = .desk
    } else {
      self = isIn(Self.httpPlaces) ? .http : .streams
    }
  }

  private static let deskPlaces = [
    "Sources/RunnelDesk/", "Sources/RunnelTerminal/", "Documentation/Desk.md",
  ]
  private static let httpPlaces = [
    "Sources/RunnelNet/HTTP/", "Sources/RunnelNetTesting/HTTP/", "Sources/RunnelGzip/",
    "Sources/RunnelTLS/HTTP/",
    "Sources/RunnelFoundation/JSON/HTTPMessages", "Documentation/HTTP.md",
    "Documentation/Daemon.md",
  ]

  /// The path of the prelude, relative to the package.
  var prelude: String { "Tests/ExampleFiles/\(rawValue).swift" }

  /// The implicit imports of an example.
  var imports: [String] {
    let modules = [
      "Glibc", "RunnelBus", "RunnelCollections", "RunnelFiles", "RunnelJSON", "RunnelLoop",
      "RunnelNet", "RunnelNetTesting", "RunnelProxies", "RunnelStreams", "RunnelSupervisor",
      "RunnelTesting", "RunnelText", "Testing",
    ]
    let additional =
      switch self {
      case .streams: [String]()
      case .desk: ["RunnelDesk", "RunnelTerminal"]
      case .http: ["RunnelFoundation", "RunnelGzip", "RunnelTLS"]
      }
    return (modules + additional).map { "import \($0)" }
  }
}
