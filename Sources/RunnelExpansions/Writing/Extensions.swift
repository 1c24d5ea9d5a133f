import SwiftSyntax
import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// Creates the extensions that implement the proxies and the default requirements.
  func extensions(of type: some TypeSyntaxProtocol) throws -> [ExtensionDeclSyntax] {
    // An extension is at file scope, where names next to a nested protocol need their owner.
    let owner = type.ownerPath
    let type = type.trimmedDescription
    var body = Code()
    for parent in parents {
      body += Code(
        "\(memberAccess)var \(parent.prefix)Requirements: \(parent.proxy).Requirements",
        Code(["\(prefix)Requirements.\(parent.prefix)"]))
      body += target(of: parent)
    }
    body += code(of: members) { $0.forwarding(in: self) }
    let defaults = code(of: members) { $0.defaults(access: memberAccess) }
    let written = [
      Code("\(nonisolated)extension \(type) where Self: \(owner)\(forwardingName)", body),
      defaults.isEmpty ? Code() : Code("\(nonisolated)extension \(type)", defaults),
    ]
    return try written.filter { !$0.isEmpty }.map {
      try ExtensionDeclSyntax(SyntaxNodeString(stringLiteral: $0.text))
    }
  }

  /// Creates the property that returns the target as a refined protocol. If that protocol has
  /// associated types, Swift needs the concrete type of the target to infer them.
  private func target(of parent: ProtocolNames) -> Code {
    let head = "\(memberAccess)var \(parent.prefix)Target: (any \(parent.target))?"
    guard parent.target.contains("<") else { return Code(head, Code(["\(prefix)Target"])) }
    return Code(
      head,
      Code(
        "func refined(_ target: some \(targetConstraint)) -> any \(parent.target)", Code(["target"])
      )
        + Code(["return \(prefix)Target.map { refined($0) }"]))
  }
}
