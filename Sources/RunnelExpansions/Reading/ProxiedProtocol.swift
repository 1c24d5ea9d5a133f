import SwiftDiagnostics
import SwiftSyntax

/// A protocol with `@Proxied`, as the macro has read it.
struct ProxiedProtocol {
  /// The name as declared, possibly in backticks.
  let name: String
  /// The access modifier with a trailing space, such as `public `, or empty.
  let access: String
  /// The access modifier for members of the proxy: at most the level of the protocol's owners.
  let memberAccess: String
  /// The attribute of the global actor, if the protocol is isolated to one.
  let isolation: String?
  // Flags (3): a protocol may be nonisolated, inherit `Sendable` or require `NSObject`, in any
  // combination.
  let isNonisolated: Bool
  /// Attributes such as `@available`, which apply to the proxy too.
  let availability: [String]
  let associatedTypes: [AssociatedType]
  /// The constraints of the associated types in `where` clauses.
  let constraints: [String]
  let parents: [ProtocolNames]
  let isSendable: Bool
  /// True if conforming types must be subclasses of Foundation's `NSObject`.
  let isObject: Bool
  let members: [Member]

  /// A requirement, or several between `#if` and `#endif`.
  indirect enum Member {
    case requirement(any ProxiedRequirement)
    /// The clauses, each with its first line.
    case conditional([(head: String, members: [Member])])
  }

  struct AssociatedType {
    let name: String
    /// The inherited types, with the colon: `: Hashable`.
    let inheritance: String
  }

  /// Reads a declaration and returns the protocol with its diagnostics.
  static func read(
    _ declaration: some SyntaxProtocol, attribute: AttributeSyntax, within owners: [Syntax]
  ) -> (ProxiedProtocol?, [Diagnostic]) {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      return (nil, [ProxyError.notAProtocol.diagnostic(at: attribute)])
    }
    // A declaration without a name is incomplete: it is being typed.
    guard !declaration.name.text.isEmpty else { return (nil, []) }
    var reader = ProtocolReader(declaration, attribute: attribute, within: owners)
    let proxied = reader.read()
    return (proxied, reader.diagnostics)
  }
}
