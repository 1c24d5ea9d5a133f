import Foundation

@testable import ExampleFiles

/// A name that a module gives to others, with its documentation: what the compiler knows of it.
struct PublicName: Sendable {
  /// A kind of thing in the compiler's words, such as `swift.type.method`.
  let kind: String
  /// The names of the types that it stands in, and its own: `StreamProtocol`, `take(_:)`.
  let path: [String]
  /// The lines of its documentation as they stand behind the slashes. None where it has none of its
  /// own, but would be shown that of a protocol's requirement.
  let documentation: [String]

  /// Whether it is a member that a superclass has documented, which it overrides.
  let isOverride: Bool

  /// The name without what it stands in and without its parameters.
  var base: String { String(path.last?.prefix { $0 != "(" } ?? "") }

  /// The name with its parameters, without those that tell where in the source it is called.
  var signature: String { (path.last ?? "").replacing("file:line:", with: "") }

  /// Everything public in a module.
  static func all(in module: String, by compiler: Compiler) throws -> [PublicName] {
    try PackageFiles.withTemporaryFolder { folder in
      let modules = folder.appending(path: "Modules")
      let graphs = folder.appending(path: "Graphs")
      try link(compiler.modules, in: modules)
      try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
      let (status, output) = compiler.run(
        "swift-symbolgraph-extract",
        [
          "-module-name", module, "-target", target, "-I", modules.path(),
          "-output-dir", graphs.path(), "-minimum-access-level", "public",
          "-skip-synthesized-members", "-skip-inherited-docs",
        ] + Compiler.systemModules)
      guard status == 0 else { throw Unreadable(module: module, output: output) }
      // What extends another module's types is in a file of its own.
      let files = try FileManager.default.contentsOfDirectory(
        at: graphs, includingPropertiesForKeys: nil)
      return try files.flatMap { file in
        let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
        let overrides = Set(graph.relationships.filter { $0.kind == "overrides" }.map(\.source))
        return graph.symbols.map { symbol in
          Self(symbol, isOverride: overrides.contains(symbol.identifier.precise))
        }
      }
    }
  }

  /// Links what was built into a folder, without what leads back to the sources: the documentation
  /// is then that of the build, also if the sources have changed since.
  private static func link(_ modules: String, in folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in try FileManager.default.contentsOfDirectory(atPath: modules)
    where file.hasSuffix(".swiftmodule") || file.hasSuffix(".swiftdoc") {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: file).path(), withDestinationPath: "\(modules)/\(file)")
    }
  }

  struct Unreadable: Error {
    let module: String
    let output: String
  }

  private init(_ symbol: Graph.Symbol, isOverride: Bool) {
    self.isOverride = isOverride
    kind = symbol.kind.identifier
    path = symbol.pathComponents
    documentation = symbol.docComment?.lines.map { $0.text.isEmpty ? "" : " " + $0.text } ?? []
  }

  private struct Graph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Relationship: Decodable {
      let kind: String
      let source: String
    }

    struct Identifier: Decodable {
      let precise: String
    }

    struct Symbol: Decodable {
      let identifier: Identifier
      let kind: Kind
      let pathComponents: [String]
      let docComment: Comment?
    }

    struct Kind: Decodable {
      let identifier: String
    }

    struct Comment: Decodable {
      let lines: [Line]
    }

    struct Line: Decodable {
      let text: String
    }
  }

  private static var target: String {
    #if arch(arm64)
    "aarch64-unknown-linux-gnu"
    #else
    "x86_64-unknown-linux-gnu"
    #endif
  }
}
