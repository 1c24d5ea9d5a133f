import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Proxied`: beside the protocol the proxy and the protocol of those that forward; in an extension of
/// the protocol what they do.
package enum ProxiedMacro {
  /// The code is written as it shall stand.
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
    // What is wrong has been said where the peers were made.
    let (proxied, diagnostics) = ProxiedProtocol.read(
      declaration, attribute: attribute, within: context.lexicalContext)
    guard let proxied, diagnostics.isEmpty else { return [] }
    return try proxied.extensions(of: type)
  }
}

/// `@Default`: a mark that `@Proxied` reads.
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
