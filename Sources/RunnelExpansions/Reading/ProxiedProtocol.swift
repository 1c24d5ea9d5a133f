import SwiftDiagnostics
import SwiftSyntax

/// What `@Proxied` found at a protocol.
struct ProxiedProtocol {
  let name: String
  /// `public` and the like with a space behind, or nothing.
  let access: String
  /// The global actor with its sign, if the protocol is isolated.
  let isolation: String?
  /// `@available` and its like, which hold for the proxy too.
  let availability: [String]
  let associatedTypes: [AssociatedType]
  let parents: [RefinedProtocol]
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
    let constraints: String?
  }

  /// Reads a declaration, and says what is wrong with it.
  static func read(
    _ declaration: some SyntaxProtocol, attribute: AttributeSyntax
  ) -> (ProxiedProtocol?, [Diagnostic]) {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      return (nil, [ProxyError.notAProtocol.diagnostic(at: attribute)])
    }
    var reader = ProtocolReader(declaration, attribute: attribute)
    let proxied = reader.read()
    return (proxied, reader.diagnostics)
  }
}

/// A protocol that this one refines and that has a proxy: `refining: ScrollViewDelegate.self`.
struct RefinedProtocol {
  /// `ScrollViewDelegate`, with generic arguments if it has some.
  let target: String
  /// `ScrollViewDelegateProxy`, the same.
  let proxy: String
  /// `ScrollViewDelegateForwarding`.
  let forwarding: String
  /// `scrollViewDelegate`.
  let prefix: String

  /// Nothing where the expression is no type. It may also be that of the proxy, which the compiler
  /// finds where that comes from another module.
  init?(_ expression: ExprSyntax) {
    var text = expression.trimmedDescription
    guard text.hasSuffix(".self") else { return nil }
    text.removeLast(".self".count)
    if text.hasPrefix("(any "), text.hasSuffix(")") { text = String(text.dropFirst(5).dropLast()) }
    let arguments = text.firstIndex(of: "<").map { String(text[$0...]) } ?? ""
    var name = String(text.dropLast(arguments.count))
    if name.hasSuffix("Proxy") { name.removeLast("Proxy".count) }
    guard let last = name.split(separator: ".").last else { return nil }
    target = name + arguments
    proxy = "\(name)Proxy\(arguments)"
    forwarding = "\(name)Forwarding"
    prefix = String(last).withLowercaseStart
  }
}

extension String {
  /// `tableView` for `TableView`, `urlHandler` for `URLHandler`.
  var withLowercaseStart: String {
    let capitals = prefix { $0.isUppercase }
    let count =
      capitals.count == 1 || capitals.count == self.count ? capitals.count : capitals.count - 1
    return prefix(max(1, count)).lowercased() + dropFirst(max(1, count))
  }
}
