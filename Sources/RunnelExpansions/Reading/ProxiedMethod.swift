import SwiftSyntax

struct ProxiedMethod: ProxiedRequirement {
  let head: RequirementHead
  var key: String?
  let parameters: [Parameter]
  let effects: Effects
  /// The type of the result; nil if there is none.
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
    result = function.result
    generics = function.genericParameterClause?.trimmedDescription ?? ""
    constraints = function.genericWhereClause.map { " \($0.trimmedDescription)" } ?? ""
    let isGeneric =
      !generics.isEmpty || !constraints.isEmpty || parameters.contains { $0.type.isOpaque }
    let isForwardedOnly =
      isGeneric || effects.isRethrowing || types.contains { $0.isSending }
      || (effects.isAsync && parameters.contains { $0.isBorrowed })
    let labels = parameters.compactMap(\.label)
    key = isForwardedOnly ? nil : ([baseName] + labels).joined(separator: "_")
  }

  var types: [TypeSyntax] { parameters.map(\.type) + (result.map { [$0] } ?? []) }

  var longKey: String {
    let types = parameters.map { $0.type.asName } + (result.map { [$0.asName] } ?? [])
    return ([key ?? baseName] + types.filter { !$0.isEmpty }).joined(separator: "_")
  }

  /// True if a method without a result must still run its closures during the call.
  private var mustRunAtOnce: Bool { parameters.contains { $0.isInout || $0.isBorrowed } }

  // MARK: - Generated code

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
    Code(
      function(access: proxied.memberAccess),
      streamCalls(in: proxied) + targetCalls(in: proxied))
  }

  func defaults(access: String) -> Code {
    guard head.hasDefault else { return Code() }
    return Code(function(access: access), Code(head.defaultValue.map { [$0] } ?? []))
  }

  private func function(access: String) -> String {
    let list = parameters.map(\.declaration).joined(separator: ", ")
    let arrow = result.map { " -> \($0.trimmedDescription)" } ?? ""
    return "\(head.attributes)\(access)func \(name)\(generics)(\(list))"
      + "\(effects.declaration)\(arrow)\(constraints)"
  }

  /// Returns the code that calls the streams, and returns their answer if there is a result.
  private func streamCalls(in proxied: ProxiedProtocol) -> Code {
    guard let key else { return Code() }
    let requirement = "\(proxied.prefix)Requirements.\(key.asReference)"
    let list = parameters.map(\.argument).joined(separator: ", ")
    let arguments = parameters.count == 1 ? list : "(\(list))"
    guard result != nil || mustRunAtOnce else {
      return Code(["\(requirement).listeners?.send(\(arguments))"])
    }
    let effects = result == nil ? Effects() : effects
    var call = Code(["\(effects.mark)\(requirement).\(effects.call)(\(arguments))"])
    for parameter in parameters.reversed() where parameter.isBorrowed {
      let failure = effects.failure == "Never" ? "" : " throws(\(effects.failure))"
      let head = "\(effects.mark)withoutActuallyEscaping(\(parameter.name))"
      call = Code(closure: head, "\(parameter.name)\(failure)", call)
    }
    let boxes = parameters.filter(\.isInout)
    var code = Code(boxes.map { "let \($0.boxName) = InoutArgument(\($0.name))" })
    let unboxing = boxes.map { "\($0.name) = \($0.boxName).value" }
    let isWrapped = parameters.contains { $0.isBorrowed }
    guard result != nil else {
      return code + (isWrapped ? call.following("_ = ") : call) + Code(unboxing)
    }
    if boxes.isEmpty && !isWrapped {
      return code + Code("if let answer = \(call.text)", Code(["return answer"]))
    }
    code += call.following("let answer = ") + Code(unboxing)
    return code + Code("if let answer", Code(["return answer"]))
  }

  private func targetCalls(in proxied: ProxiedProtocol) -> Code {
    let target = "\(proxied.prefix)Target"
    guard result != nil else {
      guard parameters.contains(where: { $0.isVariadic }) else {
        // If another method has the same name and a result, the type selects this one.
        let type = proxied.hasResult(head.name) ? " as Void?" : ""
        return Code(["\(effects.mark)\(target)?.\(call)\(type)"])
      }
      return Code("if let target = \(target)", spreadingCall(""))
    }
    let call =
      parameters.contains { $0.isVariadic }
      ? spreadingCall("return ") : Code(["return \(effects.mark)target.\(call)"])
    return Code("if let target = \(target)", call)
      + Code([proxied.fallback(head)])
  }

  private var call: String {
    "\(name)(\(parameters.map(\.forwarded).joined(separator: ", ")))"
  }

  /// Returns a call with an array in place of variadic arguments. Swift has no syntax for it, but
  /// passes variadic arguments as an array.
  private func spreadingCall(_ beginning: String) -> Code {
    let labels = parameters.map { "\($0.label?.asLabel ?? "_"):" }.joined()
    let returned = "\(effects.declaration) -> \(result?.trimmedDescription ?? "Void")"
    let declared = parameters.map(\.typeInSignature).joined(separator: ", ")
    let passed = parameters.map { $0.isVariadic ? $0.argumentType : $0.typeInSignature }
    let arguments = parameters.map { $0.isInout ? "&\($0.name)" : $0.name }
    return Code([
      "let method = target.\(name)(\(labels)) as (\(declared))\(returned)",
      "// Safety: variadic arguments are passed as an array.",
      "let call = unsafeBitCast(method, to: ((\(passed.joined(separator: ", ")))\(returned)).self)",
      "\(beginning)\(effects.mark)call(\(arguments.joined(separator: ", ")))",
    ])
  }
}
