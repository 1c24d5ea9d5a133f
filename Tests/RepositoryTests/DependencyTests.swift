import Foundation
import RunnelTesting
import Testing

@testable import ExampleFiles

/// RunnelStreams depends on the standard library and the C library only.
@Suite struct DependencyTests {
  /// The imports of the sources. `Dispatch` needs an `import` here, and so does a module that
  /// re-exports Foundation. Only `RunnelFoundation` uses Foundation.
  @Test(arguments: [
    ("RunnelStreams", ["Glibc", "Synchronization"]),
    ("RunnelCollections", ["RunnelStreams"]),
    ("RunnelProxies", ["Observation", "RunnelStreams"]),
    ("RunnelText", ["Glibc"]),
    ("RunnelDesk", ["Glibc", "RunnelCollections", "RunnelProxies", "RunnelStreams", "RunnelText"]),
    (
      "RunnelTerminal",
      ["CTerminal", "Glibc", "RunnelDesk", "RunnelLoop", "RunnelStreams", "RunnelText"]
    ),
    ("RunnelGTK", ["CGTK", "Glibc", "RunnelDesk", "RunnelLoop", "RunnelStreams", "RunnelText"]),
    ("RunnelJSON", ["RunnelStreams"]),
    ("RunnelBus", ["RunnelJSON", "RunnelStreams"]),
    (
      "RunnelLoop",
      [
        "CLibevent", "CLinux", "CMainQueue", "CStacks", "Glibc", "RunnelStreams", "Synchronization",
      ]
    ),
    (
      "RunnelFiles",
      ["CLinux", "Glibc", "RunnelBus", "RunnelCollections", "RunnelLoop", "RunnelStreams"]
    ),
    (
      "RunnelNet",
      ["CSockets", "Glibc", "RunnelJSON", "RunnelLoop", "RunnelStreams", "Synchronization"]
    ),
    (
      "RunnelSupervisor", ["RunnelCollections", "RunnelLoop", "RunnelNet", "RunnelStreams"]
    ),
    ("RunnelTLS", ["COpenSSL", "Glibc", "RunnelLoop", "RunnelNet", "RunnelStreams"]),
    (
      "RunnelDBus",
      ["CSystemd", "Glibc", "RunnelBus", "RunnelCollections", "RunnelLoop", "RunnelStreams"]
    ),
    ("RunnelMQTT", ["RunnelBus", "RunnelLoop", "RunnelNet", "RunnelStreams", "RunnelTLS"]),
    ("RunnelGzip", ["CZlib", "RunnelNet", "RunnelStreams"]),
    (
      "RunnelFoundation",
      [
        "Foundation", "FoundationNetworking", "RunnelBus", "RunnelJSON", "RunnelNet",
        "RunnelStreams",
      ]
    ),
    ("RunnelTesting", ["Glibc", "RunnelBus", "RunnelCollections", "RunnelStreams"]),
    (
      "RunnelNetTesting",
      ["Glibc", "RunnelLoop", "RunnelNet", "RunnelStreams", "RunnelTesting"]
    ),
    (
      "Runnel",
      [
        "RunnelBus", "RunnelCollections", "RunnelFiles", "RunnelJSON", "RunnelLoop", "RunnelNet",
        "RunnelProxies", "RunnelStreams", "RunnelSupervisor",
      ]
    ),
  ])
  func importsOnlyAllowedModules(_ module: String, _ allowed: [String]) throws {
    let files = try PackageFiles.all(below: "Sources/\(module)", ending: ".swift")
    let minimum = ["Runnel": 1, "RunnelNetTesting": 4][module] ?? 5
    #expect(files.count >= minimum, "\(module) has \(files.count) files.")
    for file in files {
      for line in try PackageFiles.lines(of: file) {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword <= 2 else { continue }
        let isComment = words[0].hasPrefix("//")
        #expect(isComment || allowed.contains(String(words[keyword + 1])), "\(file): \(line)")
      }
    }
  }

  /// The libraries that the object files request from the linker. The compiler records there the
  /// libraries of every module that is imported, directly or transitively.
  @Test(arguments: [
    "RunnelStreams", "RunnelCollections", "RunnelJSON", "RunnelBus", "RunnelDesk", "RunnelText",
    "RunnelTesting",
  ])
  func linksNoFoundationDispatchOrLibevent(_ module: String) async throws {
    let libraries = try await Self.libraries(of: module, in: "Sources/\(module)")
    #expect(libraries.contains("-lswiftCore"))
    #expect(libraries.subtracting(Self.runtime) == [])
  }

  #if GTK
  private static let hasTrait = true
  #else
  private static let hasTrait = false
  #endif

  @Test func linksGTKWithTraitOnly() async throws {
    let libraries = try await Self.libraries(of: "RunnelGTK", in: "Sources/RunnelGTK")
    #expect(libraries.contains("-lswiftCore"))
    #expect(libraries.contains { $0.contains("gtk") } == Self.hasTrait)
  }

  /// The names of the libraries that a program loads are in its file.
  @Test func programLoadsGTKWithTraitOnly() throws {
    let program = try Data(contentsOf: URL(filePath: "\(try Compiler().build)/notes"))
    #expect(program.range(of: Data("libevent_core".utf8)) != nil)
    #expect((program.range(of: Data("libgtk".utf8)) != nil) == Self.hasTrait)
    // The trait GTK enables the trait DBus.
    #expect((program.range(of: Data("libsystemd.so".utf8)) != nil) == Self.hasTrait)
  }

  private static func libraries(of module: String, in folder: String) async throws -> Set<String> {
    let compiler = try Compiler()
    let objects = try PackageFiles.all(below: folder, ending: ".swift").map { file in
      "\(compiler.build)/\(module).build/\(file.split(separator: "/").last ?? "").o"
    }
    return try await ManualContext.onThread { _ in
      Result { try Self.libraries(of: objects, by: compiler) }
    }.get()
  }

  /// The standard library with its companions, and the parts of the C library that its module map
  /// names.
  private static let runtime: Set = [
    "-lswiftCore", "-lswift_Concurrency", "-lswift_StringProcessing", "-lswift_RegexParser",
    "-lswiftObservation", "-lswiftSynchronization", "-lswiftSwiftOnoneSupport", "-lswiftGlibc",
    "-lm", "-lpthread",
    "-lutil", "-ldl",
  ]

  private static func libraries(
    of objects: [String], by compiler: Compiler
  ) throws -> Set<String> {
    try PackageFiles.withTemporaryFolder { folder in
      let list = folder.appending(path: "autolink")
      let (status, output) = compiler.run(
        "swift-autolink-extract", objects + ["-o", list.path()])
      #expect(status == 0, "\(output)")
      let text = try String(contentsOf: list, encoding: .utf8)
      return Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
  }
}
