import SwiftDiagnostics
import SwiftSyntax

/// A reader of a protocol and its requirements, which collects diagnostics.
struct ProtocolReader {
  private let declaration: ProtocolDeclSyntax
  private let attribute: AttributeSyntax
  private let owners: [Syntax]
  private var parents: [ProtocolNames] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ declaration: ProtocolDeclSyntax, attribute: AttributeSyntax, within owners: [Syntax]) {
    self.declaration = declaration
    self.attribute = attribute
    self.owners = owners
  }

  mutating func read() -> ProxiedProtocol {
    let inherited = declaration.inheritedNames
    let access = access()
    parents = refinedProtocols()
    checkInheritance(inherited)
    let associatedTypes = associatedTypes()
    var members = members(of: declaration.memberBlock.members)
    var names = KeyNames(of: members, refining: parents)
    names.settle(&members)
    return ProxiedProtocol(
      name: declaration.name.text,
      access: access,
      memberAccess: declaration.memberAccess(within: owners),
      isolation: declaration.attributes.globalActor,
      isNonisolated: declaration.isNonisolated,
      availability: declaration.availability,
      associatedTypes: associatedTypes,
      constraints: declaration.constraints(of: associatedTypes.map(\.name)),
      parents: parents,
      isSendable: inherited.contains("Sendable"),
      isObject: inherited.contains("NSObjectProtocol"),
      members: members)
  }

  // MARK: - Protocol declaration

  private mutating func access() -> String {
    if let modifier = declaration.accessModifier, !owners.isEmpty, modifier.name.text == "private" {
      let fixed = modifier.with(\.name.tokenKind, .keyword(.fileprivate))
      diagnostics.append(
        ProxyError.isPrivate(declaration.name.text).diagnostic(
          at: modifier, fix: SourceFix("make it 'fileprivate'", replacing: modifier, with: fixed)))
    }
    return declaration.access
  }

  private mutating func refinedProtocols() -> [ProtocolNames] {
    guard case .argumentList(let arguments) = attribute.arguments else { return [] }
    let inherited = declaration.primaryNames.filter { name in
      !declaration.declaredTypes.contains { $0.name.text == name }
    }
    return arguments.compactMap { argument in
      if let names = ProtocolNames(refining: argument.expression, inherited: inherited) {
        return names
      }
      diagnostics.append(ProxyError.notAProtocolType.diagnostic(at: argument.expression))
      return nil
    }
  }

  private mutating func checkInheritance(_ inherited: [String]) {
    if !Set(inherited).isDisjoint(with: ["Actor", "DistributedActor"]) {
      diagnostics.append(ProxyError.actorProtocol.diagnostic(at: declaration.name))
    } else if let known = inherited.lazy.compactMap(FoundationDelegate.init).first {
      checkInheritance(inherited, of: known)
    } else if Set(inherited).isDisjoint(with: ["AnyObject", "NSObjectProtocol"]) && parents.isEmpty
    {
      diagnostics.append(
        ProxyError.notAClassProtocol(
          declaration.name.text, inherited: inherited.first { $0 != "Sendable" }
        ).diagnostic(at: declaration.name, fix: declaration.inheriting(["AnyObject"])))
    }
  }

  private mutating func checkInheritance(_ inherited: [String], of known: FoundationDelegate) {
    // A refined protocol is a class protocol already.
    let missing = known.inherited.filter { name in
      !inherited.contains(name) && (name != "AnyObject" || parents.isEmpty)
    }
    if !missing.isEmpty {
      diagnostics.append(
        ProxyError.hidesInheritance(known.name, missing).diagnostic(
          at: declaration.name, fix: declaration.inheriting(missing)))
    } else if declaration.attributes.globalActor != nil {
      diagnostics.append(
        ProxyError.isolatesDelegate(declaration.name.text, known.name).diagnostic(
          at: declaration.name))
    }
  }

  /// Returns the primary associated types in their order. Some may be inherited.
  private mutating func associatedTypes() -> [ProxiedProtocol.AssociatedType] {
    for type in declaration.declaredTypes {
      if ["Target", "Requirements"].contains(type.name.text) {
        diagnostics.append(ProxyError.isReserved(type.name.text).diagnostic(at: type.name))
      }
      guard !declaration.primaryNames.contains(type.name.text) else { continue }
      let hidden = declaration.declaredTypes.map(\.name.text).filter {
        !declaration.primaryNames.contains($0)
      }
      diagnostics.append(
        ProxyError.hiddenAssociatedType(type.name.text).diagnostic(
          at: type.name, fix: declaration.makingPrimary(declaration.primaryNames + hidden)))
    }
    return declaration.primaryNames.map { name in
      let declared = declaration.declaredTypes.first { $0.name.text == name }
      return .init(
        name: name, inheritance: declared?.inheritanceClause?.trimmedDescription.withoutSelf ?? "")
    }
  }

  // MARK: - Requirements

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
    let head = RequirementHead(declaration)
    if let function = declaration.as(FunctionDeclSyntax.self) {
      return method(function, head)
    } else if let variable = declaration.as(VariableDeclSyntax.self) {
      return property(variable, head)
    } else if let declaration = declaration.as(SubscriptDeclSyntax.self) {
      let requirement = ProxiedSubscript(declaration, head)
      guard check(requirement.head, requirement.types) else { return nil }
      return checkDefault(requirement.head, returnsValue: true) ? requirement : nil
    }
    return nil
  }

  private mutating func method(
    _ function: FunctionDeclSyntax, _ head: RequirementHead
  ) -> (any ProxiedRequirement)? {
    if function.isOperator { return `operator`(function, head) }
    let method = ProxiedMethod(function, head)
    guard check(method.head, method.types), checkName(function.name) else { return nil }
    return checkDefault(method.head, returnsValue: method.result != nil) ? method : nil
  }

  private mutating func `operator`(
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

  // MARK: - Diagnostics

  private mutating func check(_ head: RequirementHead, _ types: [TypeSyntax]) -> Bool {
    let count = diagnostics.count
    if let modifier = head.modifiers.first(where: { ["static", "class"].contains($0.name.text) }) {
      diagnostics.append(
        ProxyError.isStatic(head.name).diagnostic(at: modifier, fix: SourceFix(removing: modifier)))
    }
    if declaration.attributes.globalActor != nil,
      let modifier = head.modifiers.first(where: { $0.name.text == "nonisolated" })
    {
      diagnostics.append(
        ProxyError.isNonisolated(head.name).diagnostic(
          at: modifier, fix: SourceFix(removing: modifier)))
    }
    for type in types {
      guard let mention = type.mentionOfSelf else { continue }
      diagnostics.append(
        ProxyError.mentionsSelf(head.name).diagnostic(at: mention, fix: naming(mention)))
    }
    return diagnostics.count == count
  }

  private func naming(_ mention: IdentifierTypeSyntax) -> SourceFix {
    let arguments =
      declaration.primaryNames.isEmpty
      ? "" : "<\(declaration.primaryNames.joined(separator: ", "))>"
    let name = "any \(declaration.name.text)\(arguments)"
    let kinds: [SyntaxKind] = [
      .optionalType, .implicitlyUnwrappedOptionalType, .metatypeType, .compositionTypeElement,
    ]
    let needsParentheses = mention.parent.map { kinds.contains($0.kind) } ?? false
    let fixed = TypeSyntax(stringLiteral: needsParentheses ? "(\(name))" : name)
    return SourceFix(
      "use '\(name)'", replacing: mention,
      with: fixed.with(\.leadingTrivia, mention.leadingTrivia)
        .with(\.trailingTrivia, mention.trailingTrivia))
  }

  private mutating func checkName(_ name: TokenSyntax) -> Bool {
    let prefixes = [declaration.name.text.asPrefix] + parents.map(\.prefix)
    let reserved =
      ["forwardTo", "requirements", "ties"]
      + prefixes.flatMap { ["\($0)Requirements", "\($0)Target"] }
    guard reserved.contains(name.text.withoutBackticks) else { return true }
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
