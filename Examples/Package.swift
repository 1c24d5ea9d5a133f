// swift-tools-version: 6.2
import PackageDescription

// The programs of the guides. Each is one file, which can be copied.
// Run one with `Scripts/try Examples/Streams/Greetings.swift`, or here with `swift run Greetings`.

/// Programs that import no product but `Runnel`.
let programs = [
  "Collections": [
    "Copies", "Derived", "Filtered", "Names", "Sections",
  ],
  "Daemon": [
    "Ending", "Journals", "Pulling", "Reloading", "TextsServer",
  ],
  "Files": [
    "Changes", "DraftsAndPins", "Letters", "NoteFolder",
  ],
  "HTTP": [
    "Answers", "ErrorAnswers", "Forms", "HelloServer", "LiveEvents", "Routes", "StaticFiles",
    "WebClient", "WebCores", "WebSockets",
  ],
  "JSON": [
    "Entries", "Lines", "Places",
  ],
  "Loop": [
    "Children", "Configured", "Measuring", "Meters", "Reader", "Signals", "SlowTurns",
  ],
  "Operators": [
    "Counting", "Suggestions",
  ],
  "Properties": [
    "Bindings", "Changing", "Controls", "Drivers", "Greeting", "OwnTypes",
  ],
  "Proxies": [
    "ClosureProperties", "Dials", "ObservableObjects", "Songs", "Transfers", "XMLFiles",
  ],
  "Sockets": [
    "Activated", "AsyncClient", "BackPressure", "Bodies", "ChatRoom", "Clients", "Control",
    "Datagrams", "EchoServer", "ManyCores", "Passing", "Proxy", "Readings", "Reconnecting",
    "Request", "SendingFiles", "StandardOutput",
  ],
  "Start": [
    "Rows", "Search", "Sums",
  ],
  "Streams": [
    "Callbacks", "Combining", "Failures", "Greetings", "Guarantees", "Leaks", "Owners", "Sharing",
    "SimpleStreams", "Tasks", "Threads",
  ],
  "Supervisor": [
    "KeepRunning"
  ],
  "Waiting": [
    "Limits", "Newest", "Pages", "Words",
  ],
]

/// Programs that need more products.
let programsWithProducts: [(guide: String, name: String, products: [String])] = [
  ("Foundation", "Decoding", ["RunnelFoundation"]),
  ("Foundation", "Notifications", ["RunnelFoundation"]),
  ("Foundation", "Requests", ["RunnelFoundation"]),
  ("HTTP", "Layers", ["RunnelGzip"]),
  ("HTTP", "SecureServer", ["RunnelTLS"]),
  ("HTTP", "TestedRoutes", ["RunnelNetTesting"]),
  ("HTTP", "TestedServer", ["RunnelNetTesting", "RunnelTesting"]),
  ("Loop", "Logging", ["RunnelTesting"]),
  ("Sockets", "SecureEcho", ["RunnelTLS"]),
  ("Sockets", "TestedNetwork", ["RunnelNetTesting", "RunnelTesting"]),
  ("Testing", "Battery", ["RunnelTesting"]),
  ("Testing", "Contexts", ["RunnelTesting"]),
  ("Testing", "Logged", ["RunnelTesting"]),
  ("Testing", "Marbles", ["RunnelTesting"]),
  ("Testing", "Recorders", ["RunnelTesting"]),
  ("Testing", "Validators", ["RunnelTesting"]),
]

func program(_ name: String, of guide: String, using products: [String] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: (["Runnel"] + products).map { .product(name: $0, package: "Runnel") },
    path: guide, sources: ["\(name).swift"])
}

let package = Package(
  name: "Examples",
  dependencies: [
    .package(
      name: "Runnel", path: "..", traits: Context.environment["RUNNEL_GTK"] != nil ? ["GTK"] : [])
  ],
  targets: programs.flatMap { guide, names in names.map { program($0, of: guide) } }
    + programsWithProducts.map { program($0.name, of: $0.guide, using: $0.products) },
  swiftLanguageModes: [.v6]
)
