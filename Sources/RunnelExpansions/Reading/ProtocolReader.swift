import SwiftDiagnostics
import SwiftSyntax

/// Reads a protocol, requirement by requirement, and collects what is wrong.
struct ProtocolReader {
  private let declaration: ProtocolDeclSyntax
  private let attribute: AttributeSyntax
  private(set) var diagnostics: [Diagnostic] = []

  init(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax) {
    self.declaration = declaration
    self.attribute = attribute
  }

  mutating func read() -> ProxiedProtocol {
    let inherited =
      declaration.inheritanceClause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
    let parents = parents()
    checkInheritance(inherited, refinesOthers: !parents.isEmpty)
    var members = members(of: declaration.memberBlock.members)
    var names = KeyNames(of: members)
    names.settle(&members)
    let modifiers = declaration.modifiers.map { $0.name.text }
    let access = modifiers.first { ["public", "package", "fileprivate", "private"].contains($0) }
    return ProxiedProtocol(
      name: declaration.name.text,
      access: access.map { $0 + " " } ?? "",
      isolation: declaration.attributes.globalActor,
      availability: declaration.attributes.all(named: "available"),
      associatedTypes: associatedTypes(),
      parents: parents,
      isSendable: inherited.contains { ["Sendable", "@unchecked Sendable"].contains($0) },
      members: members)
  }

  // MARK: - The head

  private mutating func parents() -> [RefinedProtocol] {
    guard case .argumentList(let arguments) = attribute.arguments else { return [] }
    return arguments.compactMap { argument in
      if let refined = RefinedProtocol(argument.expression) { return refined }
      diagnostics.append(ProxyError.notAProtocolType.diagnostic(at: argument.expression))
      return nil
    }
  }

  private mutating func checkInheritance(_ inherited: [String], refinesOthers: Bool) {
    if inherited.contains("Actor") {
      diagnostics.append(ProxyError.actorProtocol.diagnostic(at: declaration.name))
    } else if !inherited.contains("AnyObject") && !refinesOthers {
      diagnostics.append(
        ProxyError.notAClassProtocol(declaration.name.text).diagnostic(
          at: declaration.name, fix: inheritingAnyObject))
    }
  }

  private var inheritingAnyObject: ProxyFix {
    var fixed = declaration
    if let clause = declaration.inheritanceClause {
      let first = InheritedTypeSyntax(
        type: TypeSyntax("AnyObject"), trailingComma: .commaToken(trailingTrivia: .space))
      fixed.inheritanceClause?.inheritedTypes = [first] + clause.inheritedTypes
    } else if declaration.primaryAssociatedTypeClause != nil {
      let space = fixed.primaryAssociatedTypeClause?.trailingTrivia ?? .space
      fixed.primaryAssociatedTypeClause?.trailingTrivia = []
      fixed.inheritanceClause = anyObjectClause(before: space)
    } else {
      let space = fixed.name.trailingTrivia
      fixed.name.trailingTrivia = []
      fixed.inheritanceClause = anyObjectClause(before: space)
    }
    return ProxyFix("inherit from 'AnyObject'", replacing: declaration, with: fixed)
  }

  private func anyObjectClause(before space: Trivia) -> InheritanceClauseSyntax {
    InheritanceClauseSyntax(
      colon: .colonToken(trailingTrivia: .space),
      inheritedTypes: [InheritedTypeSyntax(type: TypeSyntax("AnyObject"))], trailingTrivia: space)
  }

  private mutating func associatedTypes() -> [ProxiedProtocol.AssociatedType] {
    let primary = declaration.primaryAssociatedTypeClause?.primaryAssociatedTypes.map {
      $0.name.text
    }
    var types: [ProxiedProtocol.AssociatedType] = []
    for member in declaration.memberBlock.members {
      guard let type = member.decl.as(AssociatedTypeDeclSyntax.self) else { continue }
      let name = type.name.text
      if primary?.contains(name) != true {
        diagnostics.append(
          ProxyError.hiddenAssociatedType(name).diagnostic(
            at: type.name, fix: makingPrimary((primary ?? []) + [name])))
      }
      types.append(
        .init(
          name: name, inheritance: type.inheritanceClause?.trimmedDescription ?? "",
          constraints: type.genericWhereClause?.requirements.trimmedDescription))
    }
    // A primary one may be inherited.
    for name in primary ?? [] where !types.contains(where: { $0.name == name }) {
      types.append(.init(name: name, inheritance: "", constraints: nil))
    }
    let order = primary ?? []
    return types.sorted {
      (order.firstIndex(of: $0.name) ?? 0) < (order.firstIndex(of: $1.name) ?? 0)
    }
  }

  private func makingPrimary(_ names: [String]) -> ProxyFix {
    var fixed = declaration
    let space =
      declaration.primaryAssociatedTypeClause?.trailingTrivia ?? declaration.name.trailingTrivia
    fixed.name.trailingTrivia = []
    fixed.primaryAssociatedTypeClause = PrimaryAssociatedTypeClauseSyntax(
      primaryAssociatedTypes: PrimaryAssociatedTypeListSyntax(
        names.enumerated().map { index, name in
          PrimaryAssociatedTypeSyntax(
            name: .identifier(name),
            trailingComma: index < names.count - 1 ? .commaToken(trailingTrivia: .space) : nil)
        }), trailingTrivia: space)
    return ProxyFix(
      "make '\(names.joined(separator: "', '"))' primary", replacing: declaration, with: fixed)
  }

  // MARK: - The requirements

  private mutating func members(of list: MemberBlockItemListSyntax) -> [ProxiedProtocol.Member] {
    list.compactMap { item -> ProxiedProtocol.Member? in
      if let block = item.decl.as(IfConfigDeclSyntax.self) { return conditional(block) }
      return requirement(item.decl).map { .requirement($0) }
    }
  }

  private mutating func conditional(_ block: IfConfigDeclSyntax) -> ProxiedProtocol.Member {
    var clauses: [(head: String, members: [ProxiedProtocol.Member])] = []
    for clause in block.clauses {
      let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
      var inner: [ProxiedProtocol.Member] = []
      if case .decls(let list) = clause.elements { inner = members(of: list) }
      clauses.append((clause.poundKeyword.trimmedDescription + condition, inner))
    }
    return .conditional(clauses)
  }

  private mutating func requirement(_ declaration: DeclSyntax) -> (any ProxiedRequirement)? {
    if let initializer = declaration.as(InitializerDeclSyntax.self) {
      diagnostics.append(ProxyError.isInitializer.diagnostic(at: initializer.initKeyword))
      return nil
    }
    let head: RequirementHead
    switch declaration.kind {
    case .functionDecl, .variableDecl, .subscriptDecl: head = RequirementHead(declaration)
    default: return nil
    }
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return method(function, head)
    } else if let variable = declaration.as(VariableDeclSyntax.self) {
      return property(variable, head)
    } else if let declaration = declaration.as(SubscriptDeclSyntax.self) {
      let requirement = ProxiedSubscript(declaration, head)
      return check(requirement.head, requirement.types) ? requirement : nil
    }
    return nil
  }

  private mutating func method(
    _ function: FunctionDeclSyntax, _ head: RequirementHead
  ) -> (any ProxiedRequirement)? {
    if case .binaryOperator = function.name.tokenKind { return infix(function, head) }
    if case .prefixOperator = function.name.tokenKind { return infix(function, head) }
    if case .postfixOperator = function.name.tokenKind { return infix(function, head) }
    let method = ProxiedMethod(function, head)
    guard check(method.head, method.types), checkName(function.name) else { return nil }
    return checkDefault(method.head, returnsValue: method.result != nil) ? method : nil
  }

  private mutating func infix(
    _ function: FunctionDeclSyntax, _ head: RequirementHead
  ) -> (any ProxiedRequirement)? {
    if let requirement = ProxiedOperator(function, head) {
      guard let attribute = head.defaultAttribute else { return requirement }
      diagnostics.append(ProxyError.operatorDefault(head.name).diagnostic(at: attribute))
      return nil
    }
    diagnostics.append(
      ProxyError.operatorOperands(function.name.text).diagnostic(at: function.name))
    return nil
  }

  private mutating func property(
    _ variable: VariableDeclSyntax, _ head: RequirementHead
  ) -> (any ProxiedRequirement)? {
    guard let property = ProxiedProperty(variable, head) else { return nil }
    guard check(property.head, [property.type]), checkName(property.nameToken) else { return nil }
    return checkDefault(property.head, returnsValue: true) ? property : nil
  }

  // MARK: - What cannot be

  private mutating func check(_ head: RequirementHead, _ types: [TypeSyntax]) -> Bool {
    let count = diagnostics.count
    if let modifier = head.modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
      diagnostics.append(
        ProxyError.isStatic(head.name).diagnostic(
          at: modifier,
          fix: ProxyFix(
            "remove 'static'", replacing: modifier,
            with: DeclModifierSyntax(name: .identifier(""), trailingTrivia: []))))
    }
    if declaration.attributes.globalActor != nil,
      let modifier = head.modifiers.first(where: { $0.name.text == "nonisolated" })
    {
      diagnostics.append(ProxyError.isNonisolated(head.name).diagnostic(at: modifier))
    }
    for type in types {
      guard let mention = type.mentionOfSelf else { continue }
      let fixed = TypeSyntax(stringLiteral: "any \(declaration.name.text)")
      diagnostics.append(
        ProxyError.mentionsSelf(head.name).diagnostic(
          at: mention,
          fix: ProxyFix(
            "use 'any \(declaration.name.text)'", replacing: mention,
            with: fixed.with(\.leadingTrivia, mention.leadingTrivia)
              .with(\.trailingTrivia, mention.trailingTrivia))))
    }
    return diagnostics.count == count
  }

  private mutating func checkName(_ name: TokenSyntax) -> Bool {
    guard ["forwardTo", "requirements", "ties"].contains(name.text.withoutBackticks) else {
      return true
    }
    diagnostics.append(ProxyError.isReserved(name.text).diagnostic(at: name))
    return false
  }

  private mutating func checkDefault(_ head: RequirementHead, returnsValue: Bool) -> Bool {
    guard let attribute = head.defaultAttribute else { return true }
    if returnsValue == (head.defaultValue != nil) { return true }
    let error: ProxyError =
      returnsValue ? .defaultLacksValue(head.name) : .defaultHasValue(head.name)
    diagnostics.append(error.diagnostic(at: attribute))
    return false
  }
}
