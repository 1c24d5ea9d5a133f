import Foundation

@testable import ExampleFiles

/// A public name of a module with its documentation, as the compiler reports it.
struct PublicName: Sendable {
  /// The kind of symbol in the compiler's words, such as `swift.type.method`.
  let kind: String
  /// The names of the enclosing types, then its own: `StreamProtocol`, `take(_:)`.
  let path: [String]
  /// The lines of its documentation after the slashes. Empty if it has none of its own, even if the
  /// documentation of a protocol's requirement would be shown.
  let documentation: [String]

  /// True when it overrides a member that its superclass documents.
  let isOverride: Bool

  /// True when the documentation is one paragraph.
  var hasOnlySummary: Bool { !documentation.isEmpty && !documentation.contains("") }

  /// The name without enclosing types and parameters.
  var base: String { String(path.last?.prefix { $0 != "(" } ?? "") }

  /// The name with its parameters, without the source location parameters.
  var signature: String { (path.last ?? "").replacing("file:line:", with: "") }

  /// Returns all public names of a module.
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
      // Extensions of another module's types are in a separate file.
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

  /// Links the build products into a folder, without the files that lead back to the sources. The
  /// documentation is then that of the build, even if the sources have changed since.
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
