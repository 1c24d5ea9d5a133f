import SwiftSyntax

/// The common parts of all requirements: attributes, modifiers, documentation and default.
struct RequirementHead {
  /// The full name, as in trap messages: `tableView(_:didSelectRowAt:)`.
  let name: String
  let modifiers: DeclModifierListSyntax
  /// The attributes that apply to the proxy too, each with a trailing space.
  let attributes: String
  let documentation: [String]
  let defaultAttribute: AttributeSyntax?
  /// The value in `@Default(…)`.
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

  /// True if conforming types may omit the requirement.
  var hasDefault: Bool { defaultAttribute != nil }
}

extension AttributeListSyntax {
  /// Returns the first attribute with a name, qualified by any module.
  func named(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.isNamed(name) }
  }

  /// Returns the source text of all attributes with a name.
  func all(named name: String) -> [String] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { $0.isNamed(name) }
      .map { $0.trimmedDescription }
  }

  /// The attribute of a global actor: any unknown attribute without arguments. If there are
  /// several, the first whose name ends in `Actor`.
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

  /// The type of the result; nil if there is none.
  var result: TypeSyntax? {
    guard let type = signature.returnClause?.type, !type.isVoid else { return nil }
    return type
  }
}

extension String {
  var withoutBackticks: String { filter { $0 != "`" } }
}

extension TypeSyntax {
  var isVoid: Bool { ["Void", "()"].contains(trimmedDescription) }

  /// The first use of `Self` in the type, except as the owner of an associated type.
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
