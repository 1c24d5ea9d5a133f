import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@BusInterface`: generates a class for objects of other programs that have the interface. The class also
/// describes the interface of objects of this program.
package enum BusInterfaceMacro: PeerMacro {
  /// The macro formats its code itself.
  package static let formatMode = FormatMode.disabled

  package static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let (read, diagnostics) = BusProtocol.read(
      declaration, attribute: attribute, within: context.lexicalContext)
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
    guard let read, diagnostics.isEmpty else { return [] }
    return [read.proxyClass]
  }
}

/// `@BusMember`: a marker that `@BusInterface` reads.
package enum BusMemberMacro: PeerMacro {
  package static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let owner = context.lexicalContext.first?.as(ProtocolDeclSyntax.self)
    if owner?.attributes.named("BusInterface") == nil {
      context.diagnose(BusInterfaceError.memberElsewhere.diagnostic(at: attribute))
    }
    return []
  }
}
