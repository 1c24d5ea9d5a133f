import SwiftSyntax

/// The effects of a method or getter: async and throws.
struct Effects {
  let isAsync: Bool
  let isRethrowing: Bool
  /// The type of the error: `Never`, `any Error`, or the declared type.
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

  init(_ specifiers: TypeEffectSpecifiersSyntax?) {
    self.init(specifiers?.asyncSpecifier, specifiers?.throwsClause)
  }

  private init(_ asyncSpecifier: TokenSyntax?, _ clause: ThrowsClauseSyntax?) {
    isAsync = asyncSpecifier != nil
    isRethrowing = clause?.throwsSpecifier.text == "rethrows"
    failure = clause.map { $0.type?.trimmedDescription ?? "any Error" } ?? "Never"
  }

  /// Returns the type of the key for a requirement with a result.
  func requirement(answering result: TypeSyntax, _ arguments: [String]) -> String {
    let tuple = arguments.count == 1 ? arguments[0] : "(\(arguments.joined(separator: ", ")))"
    let types = [result.asArgument, failure] + (isAsync ? [tuple] : arguments)
    return "\(isAsync ? "Async" : "")AnswerRequirement<\(types.joined(separator: ", "))>"
  }

  /// The expression that calls a requirement with a result. An `async` requirement is called
  /// directly: its retain and release are negligible compared with a task.
  var call: String { isAsync ? "answer" : "answerers?.answer" }

  /// The effects in a declaration: ` async throws(Failure)`.
  var declaration: String {
    let async = isAsync ? " async" : ""
    if isRethrowing { return async + " rethrows" }
    switch failure {
    case "Never": return async
    case "any Error": return async + " throws"
    default: return async + " throws(\(failure))"
    }
  }

  /// The keywords before a call: `try await `.
  var mark: String { (failure == "Never" ? "" : "try ") + (isAsync ? "await " : "") }
}
