import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import RunnelExpansions

/// The expansion of `@Proxied` and `@Default`, as the compiler performs it.
struct Expanding {
  /// The expanded source without empty lines.
  let text: String
  /// The diagnostics in order: `line:column message`. Each fix-it follows its diagnostic, with the
  /// source that it produces.
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

  /// Returns the source after a fix-it.
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

/// Expects the expansion of a source, without diagnostics.
func expectExpansion(
  of source: String, _ expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  let expanded = Expanding(source)
  #expect(expanded.text == expected, sourceLocation: location)
  #expect(expanded.report == "", sourceLocation: location)
}

/// Expects the expansion of `@Proxied protocol Delegate: AnyObject` with the given requirements.
/// The other arguments are the variable parts: the keys, members of the class, the forwarding
/// extension, and the defaults for conformers.
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

/// Expects the difference between the code generated for a source and for a simpler one. Lines begin
/// with `+` if only the source has them and with `-` if only the simpler one has them. The line
/// before a change is included, to show its place.
func expectDifference(
  of source: String, from simpler: String = "@Proxied protocol Delegate: AnyObject {}",
  _ expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  let sides = [simpler, source].map { side in
    let expanded = Expanding(side)
    #expect(expanded.report == "", sourceLocation: location)
    let lines = expanded.text.split(separator: "\n")
    let generated = Array(lines.drop { !$0.contains("/// A proxy that makes streams") })
    #expect(!generated.isEmpty, sourceLocation: location)
    return generated
  }
  #expect(difference(from: sides[0], to: sides[1]) == expected, sourceLocation: location)
}

/// Returns the lines that differ in more than their indentation, each run of them after the last
/// common line.
private func difference(from old: [Substring], to new: [Substring]) -> String {
  let changes = new.difference(from: old) { $0.drop { $0 == " " } == $1.drop { $0 == " " } }
  var removed: Set<Int> = []
  var inserted: Set<Int> = []
  for change in changes {
    switch change {
    case .remove(let offset, _, _): removed.insert(offset)
    case .insert(let offset, _, _): inserted.insert(offset)
    }
  }
  var lines: [String] = []
  var common: [String] = []
  var (oldIndex, newIndex) = (0, 0)
  while oldIndex < old.count || newIndex < new.count {
    if removed.contains(oldIndex) {
      lines += common + ["- \(old[oldIndex])"]
      common = []
      oldIndex += 1
    } else if inserted.contains(newIndex) {
      lines += common + ["+ \(new[newIndex])"]
      common = []
      newIndex += 1
    } else {
      common = ["  \(new[newIndex])"]
      oldIndex += 1
      newIndex += 1
    }
  }
  return lines.joined(separator: "\n")
}

/// Expects the diagnostics of a source, with the sources that fix-its produce.
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

  /// The source without `@Default`, which the expansion removes.
  fileprivate var withoutDefaults: String {
    replacing(#/@Default(\([^ ]*\))? /#, with: "")
  }
}
