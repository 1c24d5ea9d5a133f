import SwiftSyntax

/// A method.
struct ProxiedMethod: ProxiedRequirement {
  let head: RequirementHead
  var key: String?
  let parameters: [Parameter]
  let effects: Effects
  /// The type of the result, or nil where there is none.
  let result: TypeSyntax?
  private let name: String
  private let baseName: String
  private let generics: String
  private let constraints: String

  init(_ function: FunctionDeclSyntax, _ head: RequirementHead) {
    self.head = head
    name = function.name.text
    baseName = name.withoutBackticks
    parameters = function.signature.parameterClause.parameters.enumerated().map {
      Parameter($1, at: $0)
    }
    effects = Effects(function.signature.effectSpecifiers)
    let type = function.signature.returnClause?.type.trimmed
    result = type.flatMap { ["Void", "()"].contains($0.description) ? nil : $0 }
    generics = function.genericParameterClause?.trimmedDescription ?? ""
    constraints = function.genericWhereClause.map { " \($0.trimmedDescription)" } ?? ""
    let isGeneric =
      !generics.isEmpty || !constraints.isEmpty || parameters.contains { $0.type.isOpaque }
    let isHandedOn =
      isGeneric || effects.isRethrowing
      || (effects.isAsync && parameters.contains { $0.isBorrowed })
    let labels = parameters.compactMap(\.label)
    key = isHandedOn ? nil : ([baseName] + labels).joined(separator: "_")
  }

  var types: [TypeSyntax] { parameters.map(\.type) + (result.map { [$0] } ?? []) }

  var longKey: String {
    let types = parameters.map { $0.type.asName } + (result.map { [$0.asName] } ?? [])
    return ([key ?? baseName] + types.filter { !$0.isEmpty }).joined(separator: "_")
  }

  /// Whether closures must run within the call, although it returns nothing.
  private var mustRunAtOnce: Bool { parameters.contains { $0.isInout || $0.isBorrowed } }

  // MARK: - Writing

  func keys() -> Code {
    guard let key else { return Code() }
    let arguments = parameters.map(\.argumentType)
    let type: String
    if let result {
      type = effects.requirement(answering: result, arguments)
    } else if mustRunAtOnce {
      type = "AnswerRequirement<\((["Void", "Never"] + arguments).joined(separator: ", "))>"
    } else {
      type = "EventRequirement<\(arguments.isEmpty ? " " : arguments.joined(separator: ", "))>"
    }
    return Code(head.documentation + ["let \(key.asReference) = \(type)()"])
  }

  func forwarding(in proxied: ProxiedProtocol) -> Code {
    var body = Code()
    body += told(in: proxied)
    body += handedOn(in: proxied)
    return Code(function(access: proxied.memberAccess), body)
  }

  func defaults(access: String) -> Code {
    guard head.hasDefault else { return Code() }
    return Code(function(access: access), Code(head.defaultValue.map { [$0] } ?? []))
  }

  private func function(access: String) -> String {
    let list = parameters.map(\.declaration).joined(separator: ", ")
    let arrow = result.map { " -> \($0.description)" } ?? ""
    return "\(head.attributes)\(access)func \(name)\(generics)(\(list))"
      + "\(effects.declaration)\(arrow)\(constraints)"
  }

  /// What streams get, and where there is a result, their answer.
  private func told(in proxied: ProxiedProtocol) -> Code {
    guard let key else { return Code() }
    let requirement = "\(proxied.prefix)Requirements.\(key.asReference)"
    let list = parameters.map(\.argument).joined(separator: ", ")
    let arguments = parameters.count == 1 ? list : "(\(list))"
    guard result != nil || mustRunAtOnce else {
      return Code(["\(requirement).send(\(arguments))"])
    }
    let effects = result == nil ? Effects() : effects
    var call = "\(effects.mark)\(requirement).answer(\(arguments))"
    for parameter in parameters.reversed() where parameter.isBorrowed {
      let failure = effects.failure == "Never" ? "" : " throws(\(effects.failure))"
      call =
        "\(effects.mark)withoutActuallyEscaping(\(parameter.name)) "
        + "{ \(parameter.name)\(failure) in \(call) }"
    }
    let boxes = parameters.filter(\.isInout)
    var code = Code(boxes.map { "let \($0.boxName) = InoutArgument(\($0.name))" })
    let unboxing = boxes.map { "\($0.name) = \($0.boxName).value" }
    guard result != nil else { return code + Code([mustWrap(call)] + unboxing) }
    let answer = unused("answer")
    if boxes.isEmpty && !parameters.contains(where: { $0.isBorrowed }) {
      return code + Code("if let \(answer) = \(call)", Code(["return \(answer)"]))
    }
    code += Code(["let \(answer) = \(call)"] + unboxing)
    return code + Code("if let \(answer)", Code(["return \(answer)"]))
  }

  /// A call whose result nobody wants.
  private func mustWrap(_ call: String) -> String {
    parameters.contains { $0.isBorrowed } ? "_ = \(call)" : call
  }

  private func handedOn(in proxied: ProxiedProtocol) -> Code {
    let target = "\(proxied.prefix)Target"
    guard result != nil else {
      guard parameters.contains(where: { $0.isVariadic }) else {
        return Code(["\(effects.mark)\(target)?.\(call)"])
      }
      let name = unused("target")
      return Code("if let \(name) = \(target)", Code([call(spreading: name)]))
    }
    let name = unused("target")
    let call =
      parameters.contains { $0.isVariadic }
      ? call(spreading: name) : "\(effects.mark)\(name).\(call)"
    return Code("if let \(name) = \(target)", Code(["return \(call)"]))
      + Code([proxied.lastResort(head)])
  }

  private var call: String {
    "\(name)(\(parameters.map(\.forwarded).joined(separator: ", ")))"
  }

  /// Swift cannot hand an array on as variadic arguments, but passes them as one.
  private func call(spreading target: String) -> String {
    let labels = parameters.map { "\($0.label ?? "_"):" }.joined()
    let returned = "\(effects.declaration) -> \(result?.description ?? "Void")"
    let declared = parameters.map(\.typeInSignature).joined(separator: ", ")
    let passed = parameters.map { $0.isVariadic ? $0.argumentType : $0.typeInSignature }
    let arguments = parameters.map { $0.isInout ? "&\($0.name)" : $0.name }
    return "\(effects.mark)unsafeBitCast("
      + "\(target).\(name)(\(labels)) as (\(declared))\(returned), "
      + "to: ((\(passed.joined(separator: ", ")))\(returned)).self)"
      + "(\(arguments.joined(separator: ", ")))"
  }

  /// A name that no parameter has.
  private func unused(_ name: String) -> String {
    parameters.contains { $0.name == name } ? unused("\(name)_") : name
  }
}

/// What a method or a getter may do besides returning.
struct Effects {
  let isAsync: Bool
  let isRethrowing: Bool
  /// The type of what it throws: `Never`, `any Error`, or what it says.
  let failure: String

  init() {
    (isAsync, isRethrowing, failure) = (false, false, "Never")
  }

  init(_ specifiers: FunctionEffectSpecifiersSyntax?) {
    self.init(specifiers?.asyncSpecifier, specifiers?.throwsClause)
  }

  init(_ specifiers: AccessorEffectSpecifiersSyntax?) {
    self.init(specifiers?.asyncSpecifier, specifiers?.throwsClause)
  }

  private init(_ asyncSpecifier: TokenSyntax?, _ clause: ThrowsClauseSyntax?) {
    isAsync = asyncSpecifier != nil
    isRethrowing = clause?.throwsSpecifier.text == "rethrows"
    failure = clause.map { $0.type?.trimmedDescription ?? "any Error" } ?? "Never"
  }

  /// The type of a requirement with a result.
  func requirement(answering result: TypeSyntax, _ arguments: [String]) -> String {
    let tuple = arguments.count == 1 ? arguments[0] : "(\(arguments.joined(separator: ", ")))"
    let types = [result.asArgument, failure] + (isAsync ? [tuple] : arguments)
    return "\(isAsync ? "Async" : "")AnswerRequirement<\(types.joined(separator: ", "))>"
  }

  /// ` async throws(Failure)`.
  var declaration: String {
    let async = isAsync ? " async" : ""
    if isRethrowing { return async + " rethrows" }
    switch failure {
    case "Never": return async
    case "any Error": return async + " throws"
    default: return async + " throws(\(failure))"
    }
  }

  /// What stands before a call: `try await `.
  var mark: String { (failure == "Never" ? "" : "try ") + (isAsync ? "await " : "") }
}
