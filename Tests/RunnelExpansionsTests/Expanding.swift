import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import RunnelExpansions

/// Expands `@Proxied` and `@Default` as the compiler does.
struct Expanding {
  /// The source after the expansion.
  let text: String
  let diagnostics: [Diagnostic]

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
    let macros: [String: any Macro.Type] = [
      "Proxied": ProxiedMacro.self, "Default": DefaultMacro.self,
    ]
    let expanded = file.expand(
      macros: macros,
      contextGenerator: { BasicMacroExpansionContext(sharingWith: context, lexicalContext: [$0]) },
      indentationWidth: .spaces(2))
    text = expanded.description.split(separator: "\n").filter { line in
      !line.allSatisfy(\.isWhitespace)
    }.joined(separator: "\n")
    diagnostics = context.diagnostics
  }

  /// What is said: `line:column: message`, and each fix below it with the source that it leads to.
  var messages: [String] { diagnostics.map(\.message) }
}
