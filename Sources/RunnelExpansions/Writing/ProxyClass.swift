import SwiftSyntax
import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The class that stands in for the delegate.
  var proxyClass: DeclSyntax {
    let isolated = isolation.map { "\($0) " } ?? ""
    let sendable = isUnchecked ? ", @unchecked Sendable" : ""
    var body = requirementsClass
    body += Code([
      "\(memberAccess)let requirements = Requirements()",
      "\(memberAccess)let ties = ProxyTies()",
    ])
    body += Code(
      "@exclusivity(unchecked) \(memberAccess)weak var forwardTo: \(anyTarget)?",
      Code(["didSet { ties.targetWasSet(to: forwardTo, of: self) }"]))
    let confined = isUnchecked ? ["ties.requireHome(of: self)"] : []
    for (name, type, value) in [
      ("Requirements", "Requirements", "requirements"), ("Target", "\(anyTarget)?", "forwardTo"),
    ] {
      body += Code(
        "\(memberAccess)var \(prefix)\(name): \(type)",
        Code(confined.isEmpty ? [value] : confined + ["return \(value)"]))
    }
    body += Code(["\(memberAccess)init() {}"])
    body += code(of: members) { $0.forwardingInClass(in: self) }
    let head =
      "@DecoyConformers\n\(attributes)\(modifiers)final class \(proxyName)\(genericClause): "
      + "\(isolated)ProtocolProxy, \(forwardingName)\(sendable)\(whereClause)"
    let documentation = [
      "/// Makes streams of what a `\(name.withoutBackticks)` is told and asked."
    ]
    let safety =
      isUnchecked
      ? ["// Safety: what it leads to is only touched in the context it was made on."] : []
    return DeclSyntax(stringLiteral: (Code(documentation + safety) + Code(head, body)).text)
  }

  /// What the extension needs of all proxies that forward this protocol, those of protocols that
  /// refine it among them.
  var forwardingProtocol: DeclSyntax {
    let inherited = ([name] + parents.map(\.forwarding)).joined(separator: ", ")
    let body = Code([
      "var \(prefix)Requirements: \(proxyName)\(genericArguments).Requirements { get }",
      "var \(prefix)Target: \(anyTarget)? { get }",
    ])
    let documentation = Code([
      "/// A proxy that forwards what a `\(name.withoutBackticks)` is told and asked."
    ])
    let head = "\(attributes)\(modifiers)protocol \(forwardingName): \(inherited)"
    return DeclSyntax(stringLiteral: (documentation + Code(head, body)).text)
  }

  private var requirementsClass: Code {
    var body = Code()
    for parent in parents {
      body += Code(["\(memberAccess)let \(parent.prefix) = \(parent.proxy).Requirements()"])
    }
    body += code(of: members) { requirement in
      Code(
        requirement.keys().lines.map { $0.hasPrefix("let ") ? memberAccess + $0 : $0 })
    }
    for parent in parents {
      body += Code(
        "\(memberAccess)subscript<Requirement>(dynamicMember key: KeyPath<\(parent.proxy).Requirements, Requirement>) -> Requirement",
        Code(["\(parent.prefix)[keyPath: key]"]))
    }
    body += Code(["\(memberAccess)init() {}"])
    let lookup = parents.isEmpty ? "" : "@dynamicMemberLookup "
    return Code("\(lookup)\(memberAccess)final class Requirements", body)
  }
}

extension ProxiedProtocol {
  /// `tableViewDelegate`, before the names that its proxies share.
  var prefix: String { name.asPrefix }

  var proxyName: String { "\(name.withoutBackticks)Proxy".asReference }
  var forwardingName: String { "\(name.withoutBackticks)Forwarding".asReference }

  /// `any TableViewDelegate`, in parentheses so that it may be optional.
  var anyTarget: String { "(any \(targetConstraint))" }

  var targetConstraint: String { name + genericArguments }

  /// What answers when nobody else does: the default, or a trap with the name of the requirement.
  func lastResort(_ head: RequirementHead) -> String {
    head.defaultValue.map { "return \($0)" } ?? "ProxyTies.unanswered(\"\(name).\(head.name)\")"
  }

  /// Whether a method of this name has a result.
  func asks(_ name: String) -> Bool {
    func asks(_ member: Member) -> Bool {
      switch member {
      case .requirement(let requirement):
        requirement.head.name == name && (requirement as? ProxiedMethod)?.result != nil
      case .conditional(let clauses): clauses.contains { $0.members.contains(where: asks) }
      }
    }
    return members.contains(where: asks)
  }

  /// The code of all members, with the conditions that they stand under.
  func code(of members: [Member], _ write: (any ProxiedRequirement) -> Code) -> Code {
    var code = Code()
    for member in members {
      switch member {
      case .requirement(let requirement): code += write(requirement)
      case .conditional(let clauses):
        let written = clauses.map { ($0.head, self.code(of: $0.members, write)) }
        if written.allSatisfy({ $0.1.isEmpty }) { continue }
        for (head, inner) in written { code += Code([head]) + inner }
        code += Code(["#endif"])
      }
    }
    return code
  }

  /// A word for modules where all else is on the main actor.
  var nonisolated: String { isNonisolated ? "nonisolated " : "" }

  private var modifiers: String { nonisolated + access }

  private var attributes: String {
    (availability + (isolation.map { [$0] } ?? [])).map { $0 + "\n" }.joined()
  }

  /// Whether the compiler cannot see that the proxy stays where it is.
  private var isUnchecked: Bool { isSendable && isolation == nil }

  private var genericClause: String {
    if associatedTypes.isEmpty { return "" }
    return "<\(associatedTypes.map { $0.name + $0.inheritance }.joined(separator: ", "))>"
  }

  var genericArguments: String {
    associatedTypes.isEmpty ? "" : "<\(associatedTypes.map(\.name).joined(separator: ", "))>"
  }

  private var whereClause: String {
    constraints.isEmpty ? "" : " where \(constraints.joined(separator: ", "))"
  }
}
