import SwiftSyntax

/// What all requirements have: attributes, modifiers, documentation, perhaps a default.
struct RequirementHead {
  /// The full name, as a trap says it: `tableView(_:didSelectRowAt:)`.
  let name: String
  let modifiers: DeclModifierListSyntax
  /// The attributes that hold for the proxy too, each with a space behind.
  let attributes: String
  let documentation: [String]
  let defaultAttribute: AttributeSyntax?
  /// What stands in `@Default(…)`.
  let defaultValue: String?

  init(_ declaration: DeclSyntax) {
    let list: AttributeListSyntax
    if let function = declaration.as(FunctionDeclSyntax.self) {
      (list, modifiers) = (function.attributes, function.modifiers)
      let labels = function.signature.parameterClause.parameters.map {
        function.isOperator ? "_:" : "\($0.firstName.text):"
      }
      name = "\(function.name.text)(\(labels.joined()))"
    } else if let variable = declaration.as(VariableDeclSyntax.self) {
      (list, modifiers) = (variable.attributes, variable.modifiers)
      name = variable.bindings.first?.pattern.trimmedDescription ?? ""
    } else if let subscriptDeclaration = declaration.as(SubscriptDeclSyntax.self) {
      (list, modifiers) = (subscriptDeclaration.attributes, subscriptDeclaration.modifiers)
      let labels = subscriptDeclaration.parameterClause.parameters.map {
        $0.secondName == nil ? "_:" : "\($0.firstName.text):"
      }
      name = "subscript(\(labels.joined()))"
    } else {
      (list, modifiers) = ([], [])
      name = ""
    }
    defaultAttribute = list.named("Default")
    if case .argumentList(let arguments) = defaultAttribute?.arguments {
      defaultValue = arguments.first?.expression.trimmedDescription
    } else {
      defaultValue = nil
    }
    attributes = list.compactMap { element in
      guard case .attribute(let attribute) = element else { return nil }
      return attribute.isNamed("Default") ? nil : attribute.trimmedDescription + " "
    }.joined()
    documentation = declaration.leadingTrivia.documentationLines
  }

  /// Whether conformers may leave it out.
  var hasDefault: Bool { defaultAttribute != nil }
}

extension AttributeListSyntax {
  /// The first attribute of a name, whichever module it is qualified with.
  func named(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.isNamed(name) }
  }

  /// All attributes of a name, as they stand.
  func all(named name: String) -> [String] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.isNamed(name) }
      .map { $0.trimmedDescription }
  }

  /// The attribute of a global actor: on a protocol, any that is not known to be something else; of
  /// several the one that is called so.
  var globalActor: String? {
    let others = [
      "Proxied", "available", "objc", "preconcurrency", "usableFromInline", "_marker",
      "dynamicMemberLookup", "dynamicCallable", "_spi", "_documentation",
    ]
    let found = compactMap { $0.as(AttributeSyntax.self) }.filter { attribute in
      attribute.arguments == nil && !others.contains { attribute.isNamed($0) }
    }
    let called = found.first { $0.attributeName.trimmedDescription.hasSuffix("Actor") }
    return (called ?? found.first)?.trimmedDescription
  }
}

extension AttributeSyntax {
  func isNamed(_ name: String) -> Bool {
    let text = attributeName.trimmedDescription
    return text == name || text.hasSuffix(".\(name)")
  }
}

extension Trivia {
  /// The lines of a documentation comment.
  var documentationLines: [String] {
    flatMap { piece -> [String] in
      switch piece {
      case .docLineComment(let text): [text]
      case .docBlockComment(let text): text.split(separator: "\n").map { String($0) }
      default: []
      }
    }
  }
}

extension FunctionDeclSyntax {
  var isOperator: Bool {
    switch name.tokenKind {
    case .binaryOperator, .prefixOperator, .postfixOperator: true
    default: false
    }
  }

  /// The type of the result, or nil where there is none.
  var result: TypeSyntax? {
    guard let type = signature.returnClause?.type else { return nil }
    return ["Void", "()"].contains(type.trimmedDescription) ? nil : type
  }
}

extension String {
  var withoutBackticks: String { filter { $0 != "`" } }
}

extension TypeSyntax {
  /// Where the type names `Self`, other than as the owner of an associated type.
  var mentionOfSelf: IdentifierTypeSyntax? {
    let finder = SelfFinder(viewMode: .sourceAccurate)
    finder.walk(self)
    return finder.mention
  }
}

private final class SelfFinder: SyntaxVisitor {
  var mention: IdentifierTypeSyntax?

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "Self" && node.parent?.as(MemberTypeSyntax.self) == nil {
      mention = mention ?? node
    }
    return .visitChildren
  }
}
