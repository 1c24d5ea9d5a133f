/// The environment of an example: its implicit imports, and a prelude that is compiled with it.
///
/// The names of controls, servers, clients and buses conflict with declarations in the examples of
/// streams, so controls, HTTP, D-Bus and MQTT have worlds of their own, of examples of documentation comments
/// only. These are compiled and not run.
enum ExampleWorld: String, CaseIterable {
  /// The world of streams and sockets.
  case streams = "Prelude"
  /// The world of controls and of the terminal.
  case desk = "DeskPrelude"
  /// The world of HTTP servers and clients.
  case http = "HTTPPrelude"
  /// The world of D-Bus.
  case dbus = "DBusPrelude"
  /// The world of MQTT.
  case mqtt = "MQTTPrelude"

  /// Chooses the world of an example: that of controls if it documents or imports them, and those of
  /// HTTP, D-Bus and MQTT if it documents them.
  init(of example: DocumentationBlock) {
    func isIn(_ places: [String]) -> Bool { places.contains { example.file.hasPrefix($0) } }
    if isIn(Self.deskPlaces) || example.lines.contains("import RunnelDesk") {
      self = .desk
    } else if isIn(Self.httpPlaces) {
      self = .http
    } else {
      self = isIn(Self.dbusPlaces) ? .dbus : isIn(Self.mqttPlaces) ? .mqtt : .streams
    }
  }

  private static let deskPlaces = [
    "Sources/RunnelDesk/", "Sources/RunnelTerminal/",
  ]
  private static let httpPlaces = [
    "Sources/RunnelNet/HTTP/", "Sources/RunnelNetTesting/HTTP/", "Sources/RunnelGzip/",
    "Sources/RunnelTLS/HTTP/",
    "Sources/RunnelFoundation/JSON/HTTPMessages",
  ]
  private static let dbusPlaces = ["Sources/RunnelDBus/"]
  private static let mqttPlaces = ["Sources/RunnelMQTT/"]

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
      case .dbus: ["RunnelDBus"]
      case .mqtt: ["RunnelMQTT", "RunnelTLS"]
      }
    return (modules + additional).map { "import \($0)" }
  }
}
