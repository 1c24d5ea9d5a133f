import SwiftDiagnostics
import SwiftSyntax

/// What `@Proxied` found at a protocol.
struct ProxiedProtocol {
  /// The name as it stands, perhaps between backticks.
  let name: String
  /// `public` and the like with a space behind, or nothing.
  let access: String
  /// The same for members of the proxy: no more than what the protocol stands in has.
  let memberAccess: String
  /// The global actor with its sign, if the protocol is isolated.
  let isolation: String?
  let isNonisolated: Bool
  /// `@available` and its like, which hold for the proxy too.
  let availability: [String]
  let associatedTypes: [AssociatedType]
  /// What stands behind `where` about the associated types.
  let constraints: [String]
  let parents: [ProtocolNames]
  let isSendable: Bool
  let members: [Member]

  /// A requirement, or several between `#if` and `#endif`.
  indirect enum Member {
    case requirement(any ProxiedRequirement)
    /// Each clause with the line that begins it.
    case conditional([(head: String, members: [Member])])
  }

  struct AssociatedType {
    let name: String
    /// What stands behind the name: `: Hashable`.
    let inheritance: String
  }

  /// Reads a declaration, and says what is wrong with it.
  static func read(
    _ declaration: some SyntaxProtocol, attribute: AttributeSyntax, within owners: [Syntax]
  ) -> (ProxiedProtocol?, [Diagnostic]) {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      return (nil, [ProxyError.notAProtocol.diagnostic(at: attribute)])
    }
    // Without a name it is still being typed.
    guard !declaration.name.text.isEmpty else { return (nil, []) }
    var reader = ProtocolReader(declaration, attribute: attribute, within: owners)
    let proxied = reader.read()
    return (proxied, reader.diagnostics)
  }
}
