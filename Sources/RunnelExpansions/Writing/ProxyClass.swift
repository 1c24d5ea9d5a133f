import SwiftSyntax
import SwiftSyntaxBuilder

extension ProxiedProtocol {
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
    body += Code(["\(memberAccess)\(isObject ? "override " : "")init() {}"])
    body += code(of: members) { $0.forwardingInClass(in: self) }
    let head =
      "@DecoyConformers\n\(attributes)\(modifiers)final class \(proxyName)\(genericClause): "
      + "\(isObject ? "NSObject, " : "")\(isolated)ProtocolProxy, \(forwardingName)\(sendable)\(whereClause)"
    let documentation = [
      "/// A proxy that makes streams of the calls to a `\(name.withoutBackticks)`."
    ]
    let safety =
      isUnchecked
      ? ["// Safety: its contents are only used on the context that created it."] : []
    return DeclSyntax(stringLiteral: (Code(documentation + safety) + Code(head, body)).text)
  }

  /// The protocol through which the extension accesses a proxy, including the proxies of refining
  /// protocols.
  var forwardingProtocol: DeclSyntax {
    let inherited = ([name] + parents.map(\.forwarding)).joined(separator: ", ")
    let body = Code([
      "var \(prefix)Requirements: \(proxyName)\(genericArguments).Requirements { get }",
      "var \(prefix)Target: \(anyTarget)? { get }",
    ])
    let documentation = Code([
      "/// A proxy that forwards the calls to a `\(name.withoutBackticks)`."
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
        "\(memberAccess)subscript<Requirement>(dynamicMember key: "
          + "KeyPath<\(parent.proxy).Requirements, Requirement>) -> Requirement",
        Code(["\(parent.prefix)[keyPath: key]"]))
    }
    body += Code(["\(memberAccess)init() {}"])
    let lookup = parents.isEmpty ? "" : "@dynamicMemberLookup "
    return Code("\(lookup)\(memberAccess)final class Requirements", body)
  }
}

extension ProxiedProtocol {
  /// The common prefix of the proxy's generated members: `tableViewDelegate`.
  var prefix: String { name.asPrefix }

  var proxyName: String { "\(name.withoutBackticks)Proxy".asReference }
  var forwardingName: String { "\(name.withoutBackticks)Forwarding".asReference }

  /// The type of the target, in parentheses so that it can be optional: `(any TableViewDelegate)`.
  var anyTarget: String { "(any \(targetConstraint))" }

  var targetConstraint: String { name + genericArguments }

  /// Returns the code for a call without an answer: the default value, or a trap that names the
  /// requirement.
  func fallback(_ head: RequirementHead) -> String {
    head.defaultValue.map { "return \($0)" } ?? "ProxyTies.unanswered(\"\(name).\(head.name)\")"
  }

  func hasResult(_ name: String) -> Bool {
    func hasResult(_ member: Member) -> Bool {
      switch member {
      case .requirement(let requirement):
        requirement.head.name == name && (requirement as? ProxiedMethod)?.result != nil
      case .conditional(let clauses): clauses.contains { $0.members.contains(where: hasResult) }
      }
    }
    return members.contains(where: hasResult)
  }

  /// Returns the code of all members, within their `#if` conditions.
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

  /// The modifier for modules whose default isolation is the main actor.
  var nonisolated: String { isNonisolated ? "nonisolated " : "" }

  private var modifiers: String { nonisolated + access }

  private var attributes: String {
    (availability + (isolation.map { [$0] } ?? [])).map { $0 + "\n" }.joined()
  }

  /// True if the compiler cannot check that the proxy stays on its context.
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
