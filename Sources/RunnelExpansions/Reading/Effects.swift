import SwiftSyntax

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

  init(_ specifiers: TypeEffectSpecifiersSyntax?) {
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

  /// How a requirement with a result is asked. Beside a task, what it costs to count an `async` one
  /// is nothing.
  var asking: String { isAsync ? "answer" : "answerers?.answer" }

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
