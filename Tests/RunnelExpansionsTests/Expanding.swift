import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import RunnelExpansions

/// Expands `@Proxied` and `@Default` as the compiler does.
struct Expanding {
  /// The source after the expansion, without empty lines.
  let text: String
  /// What is said, one after the other: `line:column message`, and each fix below it with the source
  /// that it leads to.
  let report: String

  init(
    _ source: String,
    macros: [String: any Macro.Type] = ["Proxied": ProxiedMacro.self, "Default": DefaultMacro.self]
  ) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
    let expanded = file.expand(
      macros: macros,
      contextGenerator: {
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    text = expanded.description.withoutEmptyLines
    report = context.diagnostics.map { Expanding.describe($0, in: file, context) }
      .joined(separator: "\n")
  }

  private static func describe(
    _ diagnostic: Diagnostic, in file: SourceFileSyntax, _ context: BasicMacroExpansionContext
  ) -> String {
    let place = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
    let fixes = diagnostic.fixIts.map { fix in
      "  fix: \(fix.message.message)\n"
        + Expanding.applying(fix, to: file, context).withoutEmptyLines
    }
    return (["\(place.line):\(place.column) \(diagnostic.message)"] + fixes).joined(separator: "\n")
  }

  /// The source with a fix: each change says where it is from, and what to put there.
  private static func applying(
    _ fix: FixIt, to file: SourceFileSyntax, _ context: BasicMacroExpansionContext
  ) -> String {
    var bytes = Array(file.description.utf8)
    for case .replace(let old, let new) in fix.changes {
      let start = context.location(for: old.position, anchoredAt: old, fileName: "").offset
      bytes.replaceSubrange(start..<start + old.totalLength.utf8Length, with: new.description.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Expects what a protocol is expanded to, without a word.
func expectExpansion(
  of source: String, _ expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  let expanded = Expanding(source)
  #expect(expanded.text == expected, sourceLocation: location)
  #expect(expanded.report == "", sourceLocation: location)
}

/// Expects the whole expansion of `@Proxied protocol Delegate: AnyObject` with some requirements, given
/// what differs: the keys, what stands in the class, what proxies do, and what conformers get.
func expectRequirements(
  _ requirements: String, keys: String = "", inClass: String = "", forwarding: String = "",
  defaults: String = "", at location: Testing.SourceLocation = #_sourceLocation
) {
  let conforming = defaults.isEmpty ? "" : "extension Delegate {\n\(defaults.indented)\n}"
  expectExpansion(
    of: "@Proxied protocol Delegate: AnyObject {\n\(requirements.indented)\n}",
    """
    protocol Delegate: AnyObject {
    \(requirements.withoutDefaults.indented)
    }
    /// A proxy that makes streams of the calls to a `Delegate`.
    @DecoyConformers
    final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      final class Requirements {
    \(keys.indented.indented)
        init() {}
      }
      let requirements = Requirements()
      let ties = ProxyTies()
      @exclusivity(unchecked) weak var forwardTo: (any Delegate)? {
        didSet { ties.targetWasSet(to: forwardTo, of: self) }
      }
      var delegateRequirements: Requirements { requirements }
      var delegateTarget: (any Delegate)? { forwardTo }
      init() {}
    \(inClass.indented)
    }
    /// A proxy that forwards the calls to a `Delegate`.
    protocol DelegateForwarding: Delegate {
      var delegateRequirements: DelegateProxy.Requirements { get }
      var delegateTarget: (any Delegate)? { get }
    }
    extension Delegate where Self: DelegateForwarding {\(forwarding.isEmpty ? "}" : "")
    \(forwarding.indented)
    \(forwarding.isEmpty ? "" : "}")
    \(conforming)
    """.withoutEmptyLines, at: location)
}

/// Expects what is said about a source, and the sources that its fixes lead to.
func expectReport(
  on source: String, _ expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  #expect(Expanding(source).report == expected, sourceLocation: location)
}

extension String {
  var withoutEmptyLines: String {
    split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
  }

  fileprivate var indented: String {
    split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
  }

  /// The expansion takes the marks away.
  fileprivate var withoutDefaults: String {
    replacing(#/@Default(\([^ ]*\))? /#, with: "")
  }
}
