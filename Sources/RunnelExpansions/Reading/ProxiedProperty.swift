import SwiftSyntax

/// A property requirement: its getter is an answer requirement, its setter an event requirement.
struct ProxiedProperty: ProxiedRequirement {
  let head: RequirementHead
  var key: String?
  let type: TypeSyntax
  let nameToken: TokenSyntax
  private let effects: Effects
  private let hasSetter: Bool

  init?(_ variable: VariableDeclSyntax, _ head: RequirementHead) {
    guard let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
      let type = binding.typeAnnotation?.type
    else { return nil }
    self.head = head
    self.type = type
    nameToken = name
    key = name.text.withoutBackticks
    let accessors = Accessors(binding.accessorBlock)
    effects = accessors.effects
    hasSetter = accessors.hasSetter
  }

  var longKey: String { [key ?? nameToken.text, type.asName].joined(separator: "_") }

  func names(for key: String) -> [String] { hasSetter ? [key, "\(key)_set"] : [key] }

  func keys() -> Code {
    guard let key else { return Code() }
    var lines =
      head.documentation
      + ["let \(key.asReference) = \(effects.requirement(answering: type, []))()"]
    if hasSetter {
      lines +=
        head.documentation + [
          "let \("\(key)_set".asReference) = EventRequirement<\(type.asArgument)>()"
        ]
    }
    return Code(lines)
  }

  func forwarding(in proxied: ProxiedProtocol) -> Code {
    guard let key else { return Code() }
    let (requirements, target) = ("\(proxied.prefix)Requirements", "\(proxied.prefix)Target")
    let getter =
      Code(
        "if let answer = \(effects.mark)\(requirements).\(key.asReference).\(effects.call)(())",
        Code(["return answer"]))
      + Code("if let target = \(target)", Code(["return \(effects.mark)target.\(nameToken.text)"]))
      + Code([proxied.fallback(head)])
    let setter = Code([
      "\(requirements).\("\(key)_set".asReference).listeners?.send(newValue)",
      "\(target)?.\(nameToken.text) = newValue",
    ])
    return declaration(access: proxied.memberAccess, getter: getter, setter: setter)
  }

  func defaults(access: String) -> Code {
    guard let value = head.defaultValue else { return Code() }
    return declaration(access: access, getter: Code([value]), setter: Code())
  }

  private func declaration(access: String, getter: Code, setter: Code) -> Code {
    Accessors(effects: effects, hasSetter: hasSetter).code(
      "\(head.attributes)\(access)var \(nameToken.text): \(type.trimmedDescription)", getter, setter
    )
  }
}

/// A subscript requirement, which is forwarded to the target.
struct ProxiedSubscript: ProxiedRequirement {
  let head: RequirementHead
  var key: String? = nil
  private let parameters: [Parameter]
  private let result: TypeSyntax
  private let accessors: Accessors
  private let generics: String

  init(_ declaration: SubscriptDeclSyntax, _ head: RequirementHead) {
    self.head = head
    parameters = declaration.parameterClause.parameters.enumerated().map {
      Parameter($1, at: $0, labelsByDefault: false)
    }
    result = declaration.returnClause.type
    accessors = Accessors(declaration.accessorBlock)
    generics = declaration.genericParameterClause?.trimmedDescription ?? ""
  }

  var types: [TypeSyntax] { parameters.map(\.type) + [result] }
  var longKey: String { "" }

  func keys() -> Code { Code() }

  func forwarding(in proxied: ProxiedProtocol) -> Code {
    let target = "\(proxied.prefix)Target"
    let arguments = parameters.map(\.forwarded).joined(separator: ", ")
    let getter =
      Code(
        "if let target = \(target)", Code(["return \(accessors.effects.mark)target[\(arguments)]"]))
      + Code([proxied.fallback(head)])
    let setter = Code(["\(target)?[\(arguments)] = newValue"])
    return declaration(access: proxied.memberAccess, getter: getter, setter: setter)
  }

  func defaults(access: String) -> Code {
    guard let value = head.defaultValue else { return Code() }
    return declaration(access: access, getter: Code([value]), setter: Code())
  }

  private func declaration(access: String, getter: Code, setter: Code) -> Code {
    let list = parameters.map(\.declaration).joined(separator: ", ")
    return accessors.code(
      "\(head.attributes)\(access)subscript\(generics)(\(list)) -> \(result.trimmedDescription)",
      getter, setter)
  }
}

/// The accessors of a property or subscript.
struct Accessors {
  let effects: Effects
  let hasSetter: Bool

  init(effects: Effects, hasSetter: Bool) {
    (self.effects, self.hasSetter) = (effects, hasSetter)
  }

  init(_ block: AccessorBlockSyntax?) {
    var list: [AccessorDeclSyntax] = []
    if case .accessors(let accessors) = block?.accessors { list = Array(accessors) }
    let getter = list.first { $0.accessorSpecifier.text == "get" }
    effects = Effects(getter?.effectSpecifiers)
    hasSetter = list.contains { $0.accessorSpecifier.text == "set" }
  }

  func code(_ head: String, _ getter: Code, _ setter: Code) -> Code {
    if !hasSetter && effects.declaration.isEmpty { return Code(head, getter) }
    var accessors = Code("get\(effects.declaration)", getter)
    if hasSetter { accessors += Code("set", setter) }
    return Code(head, accessors)
  }
}
