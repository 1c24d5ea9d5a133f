// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

/// The folder of swift-syntax in the toolchain, which the macros are built with. It is found from the
/// library that this manifest runs on, or from the `swift` of the PATH. The environment variable
/// RUNNEL_SWIFT_SYNTAX names another folder.
let syntaxLibraries: String? = {
  let name = "libSwiftSyntaxMacros.so"
  var folders: [String] = []
  if let folder = Context.environment["RUNNEL_SWIFT_SYNTAX"] {
    folders = [folder]
  } else {
    let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
    let mapped = maps.split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let commands = path.map { URL(fileURLWithPath: "\($0)/swift").resolvingSymlinksInPath().path }
    folders = (mapped.filter { $0.contains("/lib/swift/") } + commands).flatMap { file in
      ["/lib/swift/", "/bin/"].compactMap { separator in
        file.range(of: separator, options: .backwards).map {
          "\(file[..<$0.lowerBound])/lib/swift/host"
        }
      }
    }
  }
  return folders.first { FileManager.default.fileExists(atPath: "\($0)/\(name)") }
}()

let syntaxSettings: [SwiftSetting] =
  syntaxLibraries.map { [.unsafeFlags(["-I", $0])] } ?? []
let syntaxLinkerSettings: [LinkerSetting] =
  (syntaxLibraries.map {
    [.unsafeFlags(["-L", $0, "-Xlinker", "-rpath", "-Xlinker", $0])]
  } ?? [])
  + [
    "SwiftBasicFormat", "SwiftCompilerPluginMessageHandling", "SwiftDiagnostics", "SwiftOperators",
    "SwiftParser", "SwiftParserDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
    "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros",
  ].map { .linkedLibrary($0) }

let package = Package(
  name: "Runnel",
  products: [
    .library(name: "Runnel", targets: ["Runnel"]),
    .library(name: "RunnelStreams", targets: ["RunnelStreams"]),
    .library(name: "RunnelCollections", targets: ["RunnelCollections"]),
    .library(name: "RunnelProxies", targets: ["RunnelProxies"]),
    .library(name: "RunnelJSON", targets: ["RunnelJSON"]),
    .library(name: "RunnelBus", targets: ["RunnelBus"]),
    .library(name: "RunnelLoop", targets: ["RunnelLoop"]),
    .library(name: "RunnelFiles", targets: ["RunnelFiles"]),
    .library(name: "RunnelNet", targets: ["RunnelNet"]),
    .library(name: "RunnelSupervisor", targets: ["RunnelSupervisor"]),
    .library(name: "RunnelTLS", targets: ["RunnelTLS"]),
    .library(name: "RunnelGzip", targets: ["RunnelGzip"]),
    .library(name: "RunnelDBus", targets: ["RunnelDBus"]),
    .library(name: "RunnelMQTT", targets: ["RunnelMQTT"]),
    .library(name: "RunnelText", targets: ["RunnelText"]),
    .library(name: "RunnelFoundation", targets: ["RunnelFoundation"]),
    .library(name: "RunnelDesk", targets: ["RunnelDesk"]),
    .library(name: "RunnelTerminal", targets: ["RunnelTerminal"]),
    .library(name: "RunnelGTK", targets: ["RunnelGTK"]),
    .library(name: "RunnelTesting", targets: ["RunnelTesting"]),
    .library(name: "RunnelNetTesting", targets: ["RunnelNetTesting"]),
    .executable(name: "tour", targets: ["Tour"]),
    .executable(name: "rerun", targets: ["Rerun"]),
    .executable(name: "chat", targets: ["Chat"]),
    .executable(name: "board", targets: ["Board"]),
    .executable(name: "notes", targets: ["Notes"]),
  ],
  traits: [
    .trait(
      name: "GTK", description: "Windows with GTK 4, in RunnelGTK.", enabledTraits: ["DBus"]),
    .trait(name: "DBus", description: "The desktop's bus, in the program notes."),
  ],
  targets: [
    .target(name: "RunnelStreams"),
    .target(name: "RunnelCollections", dependencies: ["RunnelStreams"]),
    .target(name: "RunnelJSON", dependencies: ["RunnelStreams"]),
    .target(name: "RunnelBus", dependencies: ["RunnelJSON", "RunnelStreams"]),
    .target(
      name: "RunnelExpansions", swiftSettings: syntaxSettings, linkerSettings: syntaxLinkerSettings),
    .macro(
      name: "RunnelMacros", dependencies: ["RunnelExpansions"], swiftSettings: syntaxSettings,
      linkerSettings: syntaxLinkerSettings),
    .target(name: "RunnelProxies", dependencies: ["RunnelStreams", "RunnelMacros"]),
    .target(
      name: "RunnelTesting", dependencies: ["RunnelBus", "RunnelStreams", "RunnelCollections"]),
    .systemLibrary(
      name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CMainQueue"),
    .target(name: "CStacks"),
    .target(
      name: "RunnelLoop",
      dependencies: ["RunnelStreams", "CLibevent", "CLinux", "CMainQueue", "CStacks"]),
    .target(
      name: "RunnelFiles",
      dependencies: ["RunnelBus", "RunnelStreams", "RunnelCollections", "RunnelLoop", "CLinux"]),
    .target(name: "CSockets"),
    .target(
      name: "RunnelNet", dependencies: ["RunnelJSON", "RunnelStreams", "RunnelLoop", "CSockets"]),
    .target(
      name: "RunnelNetTesting",
      dependencies: ["RunnelStreams", "RunnelLoop", "RunnelNet", "RunnelTesting"]),
    .target(
      name: "RunnelSupervisor",
      dependencies: ["RunnelStreams", "RunnelCollections", "RunnelLoop", "RunnelNet"]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .target(
      name: "RunnelTLS", dependencies: ["RunnelStreams", "RunnelLoop", "RunnelNet", "COpenSSL"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "RunnelGzip", dependencies: ["RunnelStreams", "RunnelNet", "CZlib"]),
    .systemLibrary(
      name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(
      name: "RunnelDBus",
      dependencies: [
        "RunnelStreams", "RunnelCollections", "RunnelBus", "RunnelLoop", "RunnelMacros", "CSystemd",
      ]),
    .target(
      name: "RunnelMQTT",
      dependencies: ["RunnelStreams", "RunnelBus", "RunnelLoop", "RunnelNet", "RunnelTLS"]),
    .target(name: "RunnelText"),
    .target(
      name: "RunnelFoundation",
      dependencies: ["RunnelStreams", "RunnelBus", "RunnelJSON", "RunnelNet"]),
    .target(
      name: "RunnelDesk",
      dependencies: ["RunnelStreams", "RunnelCollections", "RunnelProxies", "RunnelText"]),
    .target(name: "CTerminal"),
    .target(
      name: "RunnelTerminal",
      dependencies: ["RunnelDesk", "RunnelLoop", "RunnelStreams", "RunnelText", "CTerminal"]),
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    // Empty unless the trait GTK is enabled.
    .target(
      name: "RunnelGTK",
      dependencies: [
        "RunnelDesk", "RunnelLoop", "RunnelStreams", "RunnelText",
        .target(name: "CGTK", condition: .when(traits: ["GTK"])),
      ]),
    .target(
      name: "Runnel",
      dependencies: [
        "RunnelStreams", "RunnelCollections", "RunnelBus", "RunnelFiles", "RunnelJSON",
        "RunnelLoop", "RunnelNet", "RunnelProxies", "RunnelSupervisor",
      ]),
    .executableTarget(
      name: "Tour", dependencies: ["Runnel", "RunnelTesting"], path: "Samples/Tour"),
    .executableTarget(name: "Rerun", dependencies: ["Runnel"], path: "Samples/Rerun"),
    .executableTarget(
      name: "Chat", dependencies: ["Runnel", "RunnelTLS"], path: "Samples/Chat"),
    .executableTarget(
      name: "Board", dependencies: ["Runnel", "RunnelMQTT"], path: "Samples/Board",
      exclude: ["System"],
      resources: [
        .embedInCode("Page/board.css"), .embedInCode("Page/board.html"),
        .embedInCode("Page/board.js"), .embedInCode("Page/stream.js"),
      ]),
    .executableTarget(
      name: "Notes",
      dependencies: [
        "Runnel", "RunnelDesk", "RunnelGTK", "RunnelTerminal", "RunnelText",
        .target(name: "RunnelDBus", condition: .when(traits: ["DBus"])),
      ],
      path: "Samples/Notes", exclude: ["Desktop", "Examples"],
      resources: [
        .embedInCode("Screen/Keys.txt"), .embedInCode("Shell/Help.txt"),
        .embedInCode("Shell/notes.bash"), .embedInCode("Shell/notes.fish"),
        .embedInCode("Shell/notes.zsh"),
      ]),
    .target(
      name: "TestSupport",
      dependencies: [
        "CLinux", "RunnelDesk", "RunnelLoop", "RunnelStreams", "RunnelTesting", "RunnelText",
      ],
      path: "Tests/TestSupport"),
    .target(
      name: "StreamTestSupport", dependencies: ["RunnelStreams", "RunnelTesting"],
      path: "Tests/StreamTestSupport"),
    .testTarget(
      name: "RunnelStreamsTests",
      dependencies: ["RunnelStreams", "RunnelTesting", "StreamTestSupport"]),
    // The tests of code that several threads use, the only ones of streams that CI builds for a sanitizer.
    .testTarget(
      name: "RunnelStreamsCrossingTests",
      dependencies: ["RunnelStreams", "RunnelTesting", "StreamTestSupport"]),
    .executableTarget(
      name: "ExampleFiles", path: "Tests/ExampleFiles",
      exclude: [
        "DBusPrelude.swift", "DeskPrelude.swift", "HTTPPrelude.swift", "MQTTPrelude.swift",
        "Prelude.swift",
      ]),
    .testTarget(
      name: "RepositoryTests",
      dependencies: [
        "CLinux", "ExampleFiles", "Runnel", "RunnelStreams", "RunnelCollections", "RunnelBus",
        "RunnelDBus", "RunnelDesk",
        "RunnelFiles", "RunnelJSON", "RunnelLoop", "RunnelNet", "RunnelNetTesting",
        "RunnelFoundation", "RunnelMQTT",
        "RunnelProxies", "Notes", "RunnelGTK", "RunnelGzip", "RunnelTerminal", "RunnelTesting",
        "RunnelText",
        "RunnelTLS", "RunnelSupervisor",
      ],
      exclude: ["Safety/Snippets"]),
    .executableTarget(
      name: "LoopFixture",
      dependencies: ["RunnelBus", "RunnelFiles", "RunnelLoop", "RunnelSupervisor", "CLinux"],
      path: "Tests/LoopFixture"),
    .testTarget(
      name: "RunnelLoopTests",
      dependencies: [
        "RunnelFiles", "RunnelLoop", "RunnelTesting", "CLinux", "LoopFixture", "TestSupport",
      ]),
    .testTarget(
      name: "RunnelJSONTests",
      dependencies: ["RunnelJSON", "RunnelStreams", "RunnelTesting", "TestSupport"],
      exclude: ["Corpus"]),
    .testTarget(
      name: "RunnelNetTests",
      dependencies: [
        "CSockets", "RunnelNet", "RunnelNetTesting", "RunnelLoop", "RunnelTesting", "TestSupport",
      ]),
    .testTarget(
      name: "RunnelSupervisorTests",
      dependencies: ["RunnelSupervisor", "RunnelTesting", "LoopFixture", "TestSupport"]),
    .testTarget(
      name: "RunnelTLSTests",
      dependencies: ["RunnelNet", "RunnelLoop", "RunnelTLS", "RunnelTesting", "TestSupport"]),
    .testTarget(
      name: "RunnelGzipTests",
      dependencies: [
        "RunnelNet", "RunnelNetTesting", "RunnelLoop", "RunnelGzip", "RunnelTesting", "TestSupport",
      ]),
    .testTarget(
      name: "RunnelDBusTests",
      dependencies: [
        "CSystemd", "RunnelBus", "RunnelCollections", "RunnelDBus", "RunnelLoop", "RunnelTesting",
        "TestSupport",
      ],
      exclude: ["Support/manager.py", "Support/peer.py", "Tools/described.xml"]),
    .testTarget(
      name: "RunnelMQTTTests",
      dependencies: [
        "RunnelBus", "RunnelLoop", "RunnelMQTT", "RunnelNet", "RunnelNetTesting", "RunnelTLS",
        "RunnelTesting", "TestSupport",
      ]),
    .testTarget(
      name: "RunnelCollectionsTests", dependencies: ["RunnelCollections", "RunnelTesting"]),
    // The tests of code with pointers, the only ones of collections that CI builds for a sanitizer.
    .testTarget(
      name: "RunnelCollectionsStorageTests", dependencies: ["RunnelCollections", "RunnelTesting"]),
    .testTarget(
      name: "RunnelBusTests",
      dependencies: ["RunnelBus", "RunnelLoop", "RunnelTesting", "TestSupport"]),
    .testTarget(
      name: "RunnelExpansionsTests", dependencies: ["RunnelExpansions"],
      swiftSettings: syntaxSettings, linkerSettings: syntaxLinkerSettings),
    .testTarget(
      name: "RunnelProxiesTests",
      dependencies: ["RunnelProxies", "RunnelTesting", "StreamTestSupport"]),
    .executableTarget(
      name: "FoundationFixture", dependencies: ["RunnelFoundation", "RunnelLoop"],
      path: "Tests/FoundationFixture"),
    .testTarget(
      name: "RunnelFoundationTests",
      dependencies: [
        "RunnelFoundation", "RunnelLoop", "RunnelNet", "RunnelNetTesting", "RunnelProxies",
        "RunnelTesting", "CLinux", "FoundationFixture", "TestSupport",
      ],
      exclude: ["Support/server.py"]),
    .testTarget(
      name: "RunnelDeskTests", dependencies: ["RunnelDesk", "RunnelTesting", "TestSupport"]),
    .executableTarget(
      name: "TerminalFixture", dependencies: ["RunnelTerminal", "CTerminal"],
      path: "Tests/TerminalFixture"),
    .testTarget(
      name: "RunnelTerminalTests",
      dependencies: [
        "RunnelTerminal", "RunnelDesk", "RunnelLoop", "RunnelTesting", "TerminalFixture",
        "TestSupport",
      ]),
    .executableTarget(
      name: "GTKFixture",
      dependencies: [
        "RunnelGTK", "RunnelDesk", "RunnelLoop", "RunnelStreams",
        .target(name: "CGTK", condition: .when(traits: ["GTK"])),
      ],
      path: "Tests/GTKFixture"),
    .testTarget(
      name: "RunnelGTKTests",
      dependencies: [
        "GTKFixture", "Notes", "Runnel", "RunnelGTK", "RunnelDesk", "RunnelLoop", "RunnelTesting",
        "TestSupport",
        .target(name: "CGTK", condition: .when(traits: ["GTK"])),
      ], exclude: ["Goldens", "Support/notes-by-accessibility.py", "Support/portal.py"]),
    .executableTarget(
      name: "Stress",
      dependencies: [
        "Runnel", "RunnelBus", "RunnelCollections", "RunnelDesk", "RunnelLoop", "RunnelProxies",
        "RunnelStreams", "RunnelTerminal",
      ],
      path: "Tests/Stress"),
    .testTarget(
      name: "RunnelFilesTests",
      dependencies: [
        "RunnelBus", "RunnelFiles", "RunnelLoop", "RunnelTesting", "CLinux", "LoopFixture",
        "TestSupport",
      ],
      exclude: ["Support/bookmarks.py"]),
    .testTarget(name: "RunnelTextTests", dependencies: ["RunnelText", "RunnelTesting"]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes", "RunnelLoop", "RunnelTesting", "TestSupport",
        .target(name: "RunnelDBus", condition: .when(traits: ["DBus"])),
      ],
      exclude: ["Scripts"]),
    .testTarget(
      name: "ChatTests", dependencies: ["Chat", "RunnelLoop", "RunnelTesting", "TestSupport"]),
    .testTarget(
      name: "BoardTests",
      dependencies: [
        "Board", "RunnelLoop", "RunnelNet", "RunnelNetTesting", "RunnelTesting", "TestSupport",
      ],
      exclude: ["failover.py"]),
    .testTarget(name: "TourTests", dependencies: ["Tour"], exclude: ["Transcript.txt"]),
    .testTarget(
      name: "RunnelTestingTests",
      dependencies: [
        "RunnelBus", "RunnelStreams", "RunnelCollections", "RunnelTesting", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Without swift-syntax the package can still be resolved. What uses no macro can be built on Linux.
if syntaxLibraries == nil {
  print(
    """
    @Proxied and @BusInterface are not available, because this toolchain has no swift-syntax in \
    lib/swift/host. RunnelDesk and what depends on it cannot be built.
    """)
  let macros: Set = ["RunnelExpansions", "RunnelExpansionsTests", "RunnelMacros"]
  package.targets.removeAll { macros.contains($0.name) }
  for target in package.targets where ["RunnelDBus", "RunnelProxies"].contains(target.name) {
    target.dependencies.removeAll { dependency in
      if case .byNameItem("RunnelMacros", _) = dependency { true } else { false }
    }
    target.swiftSettings = [.define("RUNNEL_WITHOUT_MACROS")]
  }
}

// The fuzzers of the parsers, for Scripts/fuzz, which passes the instrumentation of all modules.
if Context.environment["RUNNEL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "RunnelJSON", "RunnelMQTT", "RunnelNet", "RunnelNetTesting", "RunnelStreams",
        "RunnelTesting",
      ],
      path: "Tests/Fuzz", exclude: ["Inputs"], swiftSettings: [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]))
}

// A comma-separated list of test targets limits the build to them and their dependencies: the
// sanitizer runs of CI need few targets, and each is a full build.
if let names = Context.environment["RUNNEL_TARGETS"] {
  var kept: Set<String> = []
  func keep(_ name: String) {
    guard kept.insert(name).inserted else { return }
    guard let target = package.targets.first(where: { $0.name == name }) else {
      fatalError("RUNNEL_TARGETS names \(name), which is no target of this package.")
    }
    for dependency in target.dependencies {
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): keep(name)
      default: break
      }
    }
  }
  names.split(separator: ",").forEach { keep(String($0)) }
  package.targets.removeAll { !kept.contains($0.name) }
  // Programs keep the names of their products.
  package.products.removeAll { product in
    (product as? Product.Executable)?.targets.allSatisfy(kept.contains) != true
  }
}
