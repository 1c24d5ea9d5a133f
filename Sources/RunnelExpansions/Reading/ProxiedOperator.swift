import SwiftSyntax

/// An operator requirement with exactly one `Self` operand, which is forwarded to the target.
struct ProxiedOperator: ProxiedRequirement {
  let head: RequirementHead
  var key: String? = nil
  let result: TypeSyntax?
  private let name: String
  private let fixity: String
  private let parameters: [Parameter]
  private let own: Int
  private let effects: Effects

  /// Fails unless exactly one operand is `Self`.
  init?(_ function: FunctionDeclSyntax, _ head: RequirementHead) {
    self.head = head
    name = function.name.text
    let fixities = head.modifiers.map(\.name.text).filter { ["prefix", "postfix"].contains($0) }
    fixity = fixities.map { $0 + " " }.joined()
    let parameters = function.signature.parameterClause.parameters.enumerated().map {
      Parameter($1, at: $0, labelsByDefault: false)
    }
    effects = Effects(function.signature.effectSpecifiers)
    result = function.result
    let operands = parameters.indices.filter { parameters[$0].type.mentionOfSelf != nil }
    guard let own = operands.first, operands.count == 1, result?.mentionOfSelf == nil,
      parameters[own].type.trimmedDescription == "Self", !parameters[own].isInout,
      function.genericParameterClause == nil
    else { return nil }
    self.own = own
    self.parameters = parameters
  }

  var longKey: String { "" }

  func keys() -> Code { Code() }

  func forwarding(in proxied: ProxiedProtocol) -> Code { Code() }

  /// Generated in the class, because the compiler does not find operators that a macro adds to an
  /// extension.
  func forwardingInClass(in proxied: ProxiedProtocol) -> Code {
    let operand = parameters[own].name
    let arrow = result.map { " -> \($0.trimmedDescription.withoutSelf)" } ?? ""
    let apply = Code(
      "func apply(_ \(operand): some \(proxied.targetConstraint))\(effects.declaration)\(arrow)",
      Code([expression]))
    let call = "\(result == nil ? "" : "return ")\(effects.mark)apply(target)"
    let last = result == nil ? Code() : Code([proxied.fallback(head)])
    let proxy = "\(proxied.proxyName)\(proxied.genericArguments)"
    let list = parameters.map(\.declaration).map {
      $0.withoutSelf.replacing(#/\bSelf\b/#, with: proxy)
    }
    return Code(
      "\(head.attributes)\(proxied.memberAccess)static \(fixity)func \(name) "
        + "(\(list.joined(separator: ", ")))\(effects.declaration)\(arrow)",
      apply + Code("if let target = \(operand).\(proxied.prefix)Target", Code([call])) + last)
  }

  func defaults(access: String) -> Code { Code() }

  private var expression: String {
    let operands = parameters.map(\.name)
    switch (fixity, operands.count) {
    case ("postfix ", _): return "\(effects.mark)\(operands[0])\(name)"
    case (_, 1): return "\(effects.mark)\(name)\(operands[0])"
    default: return "\(effects.mark)\(operands.joined(separator: " \(name) "))"
    }
  }
}
