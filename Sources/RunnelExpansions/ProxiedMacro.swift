import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Proxied`: generates the proxy class and its forwarding protocol as peers, and their
/// implementation in an extension of the protocol.
package enum ProxiedMacro {
  /// The macro formats its code itself.
  package static let formatMode = FormatMode.disabled
}

extension ProxiedMacro: PeerMacro {
  package static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let (proxied, diagnostics) = ProxiedProtocol.read(
      declaration, attribute: attribute, within: context.lexicalContext)
    for diagnostic in diagnostics { context.diagnose(diagnostic) }
    guard let proxied, diagnostics.isEmpty else { return [] }
    return [proxied.proxyClass, proxied.forwardingProtocol]
  }
}

extension ProxiedMacro: ExtensionMacro {
  package static func expansion(
    of attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // The peer expansion reports the diagnostics.
    let (proxied, diagnostics) = ProxiedProtocol.read(
      declaration, attribute: attribute, within: context.lexicalContext)
    guard let proxied, diagnostics.isEmpty else { return [] }
    return try proxied.extensions(of: type)
  }
}

/// `@Default`: a marker that `@Proxied` reads.
package enum DefaultMacro: PeerMacro {
  package static func expansion(
    of attribute: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let owner = context.lexicalContext.first?.as(ProtocolDeclSyntax.self)
    let isRequirement = [.functionDecl, .variableDecl, .subscriptDecl, .initializerDecl]
      .contains(declaration.kind)
    if !isRequirement || owner?.attributes.named("Proxied") == nil {
      context.diagnose(ProxyError.defaultElsewhere.diagnostic(at: attribute))
    }
    return []
  }
}
