// swift-tools-version: 6.2
import PackageDescription

// The programs of the guides. Each is one file, which can be copied.
// Run one with `Scripts/try Examples/Streams/Greetings.swift`, or here with `swift run Greetings`.

/// True if Runnel is built with windows, which the programs of the folder `Window` need.
let hasWindows = Context.environment["RUNNEL_GTK"] != nil

/// The programs of each folder.
let programs = [
  "Bus": [
    "Asking", "OwnTransport", "Partners", "Renaming", "Retained", "Rising", "Rooms", "Traffic",
  ],
  "Collections": [
    "Copies", "Derived", "Filtered", "Joined", "Names", "Sections",
  ],
  "DBus": [
    "BackupStatus", "Calling", "Conflicts", "Devices", "Films", "Instances", "MediaKeys",
    "Notifying", "Passwords", "PlayerService", "Policies", "SharedEvents", "TestedPlayer",
    "TypedPlayer", "Watching",
  ],
  "Daemon": [
    "Ending", "Journals", "Pulling", "Reloading", "TextsServer",
  ],
  "Debugging": [
    "Bags", "Leaking", "LiveObjects", "Tracing",
  ],
  "Desk": [
    "Contacts", "Covers", "Documents", "Folders", "Greeter", "Keys", "Menus", "Proposals",
    "Questions", "Refusing", "SavingAs", "Scripted", "Selections", "Shopping", "Spelling",
    "SpokenLines", "Stars",
    "Tables", "Tabs", "Themes", "WithoutScreen",
  ],
  "Errors": [
    "Conversions", "ModuleErrors", "Unhandled", "Weather",
  ],
  "Files": [
    "Changes", "DraftsAndPins", "Letters", "NoteFolder", "RecentLetters",
  ],
  "Foundation": [
    "Decoding", "Notifications", "Requests",
  ],
  "HTTP": [
    "Answers", "ErrorAnswers", "Forms", "HelloServer", "Layers", "LiveEvents", "Routes",
    "SecureServer", "StaticFiles", "TestedRoutes", "TestedServer", "WebClient", "WebCores",
    "WebSockets",
  ],
  "JSON": [
    "Entries", "Lines", "Places",
  ],
  "Loop": [
    "Children", "Configured", "Logging", "Measuring", "Meters", "Reader", "Signals", "SlowTurns",
  ],
  "MQTT": [
    "Additions", "Lights", "Presence", "Shops",
  ],
  "Operators": [
    "Counting", "Suggestions",
  ],
  "Packaging": [
    "Ticker"
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
    "Request", "SecureEcho", "SendingFiles", "StandardOutput", "TestedNetwork",
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
  "Testing": [
    "Battery", "Contexts", "Logged", "Marbles", "Recorders", "TestedSearch", "Validators",
  ],
  "Threads": [
    "Accounts", "Handles", "Reading", "Reports",
  ],
  "Waiting": [
    "Limits", "Newest", "Pages", "Words",
  ],
  "Window": [
    "Backends", "Gallery", "HeaderBar", "LongWork", "OwnWidget", "ScriptedWindow", "Temperature",
  ],
]

/// The products that the programs of a folder use besides `Runnel`.
let productsOfFolders = [
  "DBus": ["RunnelDBus"],
  "Desk": ["RunnelDesk"],
  "MQTT": ["RunnelMQTT"],
  "Window": ["RunnelDesk", "RunnelGTK"],
]

/// The products that a program uses besides the products of its folder.
let products = [
  "Backends": ["RunnelTerminal"],
  "Battery": ["RunnelTesting"],
  "Contexts": ["RunnelTesting"],
  "Decoding": ["RunnelFoundation"],
  "Greeter": ["RunnelTerminal"],
  "Layers": ["RunnelGzip"],
  "Logged": ["RunnelTesting"],
  "Logging": ["RunnelTesting"],
  "Marbles": ["RunnelTesting"],
  "Notifications": ["RunnelFoundation"],
  "OwnTransport": ["RunnelTesting"],
  "Partners": ["RunnelTesting"],
  "Recorders": ["RunnelTesting"],
  "Requests": ["RunnelFoundation"],
  "SecureEcho": ["RunnelTLS"],
  "SecureServer": ["RunnelTLS"],
  "TestedNetwork": ["RunnelNetTesting", "RunnelTesting"],
  "TestedRoutes": ["RunnelNetTesting"],
  "TestedSearch": ["RunnelTesting"],
  "TestedServer": ["RunnelNetTesting", "RunnelTesting"],
  "Validators": ["RunnelTesting"],
]

func program(_ name: String, of folder: String, with others: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: (["Runnel"] + productsOfFolders[folder, default: []] + products[name, default: []])
      .map { .product(name: $0, package: "Runnel") },
    path: folder, exclude: others.filter { $0 != name }.map { "\($0).swift" })
}

let package = Package(
  name: "Examples",
  dependencies: [
    .package(name: "Runnel", path: "..", traits: hasWindows ? ["GTK"] : [])
  ],
  targets: programs.filter { hasWindows || $0.key != "Window" }.flatMap { folder, names in
    names.map { program($0, of: folder, with: names) }
  },
  swiftLanguageModes: [.v6]
)
