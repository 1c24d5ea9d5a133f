import SwiftDiagnostics
import SwiftSyntax

/// A reader of a protocol with `@BusInterface`, which collects diagnostics.
struct BusProtocolReader {
  private let declaration: ProtocolDeclSyntax
  private let aliases: [TypeAliasDeclSyntax]
  private(set) var diagnostics: [Diagnostic] = []

  init(_ declaration: ProtocolDeclSyntax) {
    self.declaration = declaration
    aliases = declaration.memberBlock.members.compactMap { $0.decl.as(TypeAliasDeclSyntax.self) }
  }

  mutating func read(_ attribute: AttributeSyntax, within owners: [Syntax]) -> BusProtocol {
    checkInheritance()
    return BusProtocol(
      name: declaration.name.text,
      interface: interfaceName(attribute),
      access: declaration.access,
      memberAccess: declaration.memberAccess(within: owners),
      isolation: declaration.attributes.globalActor,
      isNonisolated: declaration.isNonisolated,
      availability: declaration.availability,
      aliases: aliases.map { BusTypeAlias($0) },
      members: members())
  }

  private mutating func report(
    _ error: BusInterfaceError, at node: some SyntaxProtocol, fix: SourceFix? = nil
  ) {
    diagnostics.append(error.diagnostic(at: node, fix: fix))
  }

  /// Inherited types without members, which change nothing on the bus.
  private static let markers: Set = [
    "AnyObject", "class", "Copyable", "Escapable", "Sendable", "SendableMetatype",
  ]

  /// The macro cannot read the members of an inherited protocol, so the bus would not have them.
  private mutating func checkInheritance() {
    for name in declaration.inheritedNames {
      if ["Actor", "DistributedActor"].contains(name) {
        report(.actorProtocol, at: declaration.name)
      } else if !Self.markers.contains(String(name.drop { $0 == "~" })) {
        report(.inherits(name), at: declaration.name)
      }
    }
  }

  /// Replaces a type that is an alias of the protocol, because the alias may stand for a tuple or a stream.
  private func resolved(_ type: TypeSyntax) -> TypeSyntax {
    var type = type
    // An alias of itself is being typed.
    for _ in aliases {
      guard let identifier = type.as(IdentifierTypeSyntax.self),
        identifier.genericArgumentClause == nil,
        let alias = aliases.first(where: { $0.name.text == identifier.name.text })
      else { break }
      type = alias.initializer.value
    }
    return type
  }

  // MARK: - Names

  private mutating func interfaceName(_ attribute: AttributeSyntax) -> String {
    // The compiler reports an attribute without arguments.
    guard case .argumentList(let list) = attribute.arguments, let argument = list.first else {
      return ""
    }
    guard let name = text(of: argument.expression) else { return "" }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count < 2 || name.utf8.count > 255 || !parts.allSatisfy(\.isMemberName) {
      report(.invalidInterface(name), at: argument.expression)
    }
    return name
  }

  private mutating func text(of expression: ExprSyntax) -> String? {
    if let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue {
      return text
    }
    report(.nameIsNoLiteral, at: expression)
    return nil
  }

  /// Returns the name on the bus: the one in `@BusMember`, or else the Swift name with a capital letter.
  private mutating func busName(_ token: TokenSyntax, _ marker: AttributeSyntax?) -> String {
    if case .argumentList(let list) = marker?.arguments,
      let argument = list.first(where: { $0.label == nil })
    {
      guard let name = text(of: argument.expression) else { return "" }
      if !name[...].isMemberName { report(.invalidMember(name), at: argument.expression) }
      return name
    }
    let name = token.text.withoutBackticks
    let busName = name.prefix(1).uppercased() + name.dropFirst()
    if !busName[...].isMemberName { report(.invalidMember(busName), at: token) }
    return busName
  }

  // MARK: - Members

  private mutating func members() -> [BusMember] {
    var names: Set<String> = []
    return declaration.memberBlock.members.compactMap { item -> BusMember? in
      guard let (member, token) = member(item.decl) else { return nil }
      // A method, a property and a signal may have one name.
      let kind =
        switch member.kind {
        case .method: "method"
        case .property, .constant: "property"
        case .signal: "signal"
        }
      if !names.insert("\(kind) \(member.busName)").inserted {
        report(.sameName(member.busName), at: token)
      }
      return member
    }
  }

  private mutating func member(_ item: DeclSyntax) -> (BusMember, TokenSyntax)? {
    if let function = item.as(FunctionDeclSyntax.self) { return method(function) }
    if let variable = item.as(VariableDeclSyntax.self) { return variableMember(variable) }
    if let initializer = item.as(InitializerDeclSyntax.self) {
      report(.isInitializer, at: initializer.initKeyword)
    } else if let declared = item.as(SubscriptDeclSyntax.self) {
      report(.isSubscript, at: declared.subscriptKeyword)
    } else if let type = item.as(AssociatedTypeDeclSyntax.self) {
      report(.associatedType(type.name.text), at: type.name)
    } else if let block = item.as(IfConfigDeclSyntax.self) {
      report(.isConditional, at: block.clauses.first?.poundKeyword ?? .poundToken())
    }
    return nil
  }

  private mutating func member(
    _ token: TokenSyntax, _ item: some WithAttributesSyntax, _ kind: BusMember.Kind
  ) -> (BusMember, TokenSyntax) {
    let marker = item.attributes.named("BusMember")
    var changes: String?
    if case .argumentList(let list) = marker?.arguments,
      let argument = list.first(where: { $0.label?.text == "changes" })
    {
      changes = argument.expression.trimmedDescription
      if case .property = kind {
      } else {
        report(.changesOfAnother(token.text), at: argument)
      }
    }
    if let actor = item.attributes.ownActor, actor != declaration.attributes.globalActor {
      report(.actorOfMember(token.text, actor), at: token)
    }
    if ["remote", "interfaceName"].contains(token.text.withoutBackticks) {
      report(.isReserved(token.text), at: token)
    }
    let member = BusMember(
      name: token.text, busName: busName(token, marker), kind: kind, changes: changes,
      documentation: item.leadingTrivia.documentationLines,
      attributes: item.attributes.all(named: "available").map { $0 + " " }.joined(),
      discardable: item.attributes.named("discardableResult") == nil ? "" : "@discardableResult ")
    return (member, token)
  }

  private mutating func checkModifiers(_ modifiers: DeclModifierListSyntax, _ name: String) {
    for modifier in modifiers {
      switch modifier.name.text {
      case "static", "class":
        report(.isStatic(name), at: modifier, fix: SourceFix(removing: modifier))
      case "mutating": report(.isMutating(name), at: modifier, fix: SourceFix(removing: modifier))
      default: break
      }
    }
  }

  /// Reports the first part of a type that D-Bus cannot carry.
  private mutating func check(_ type: TypeSyntax) {
    guard let fault = BusTypeFault.first(in: type) else { return }
    let fix = fault.replacement.map { text in
      let fixed = TypeSyntax(stringLiteral: text).with(\.leadingTrivia, fault.node.leadingTrivia)
        .with(\.trailingTrivia, fault.node.trailingTrivia)
      return SourceFix("write '\(text)'", replacing: fault.node, with: fixed)
    }
    report(fault.error, at: fault.node, fix: fix)
  }

  /// Reports the first fault of several values, which may be a tuple.
  private mutating func checkList(_ type: TypeSyntax?) {
    guard let type, !type.isVoid else { return }
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count > 1 {
      for element in tuple.elements { check(element.type) }
    } else {
      check(type)
    }
  }

  // MARK: - Methods

  private mutating func method(_ function: FunctionDeclSyntax) -> (BusMember, TokenSyntax)? {
    if function.isOperator {
      report(.isOperator(function.name.text), at: function.name)
      return nil
    }
    checkModifiers(function.modifiers, function.name.text)
    if let generics = function.genericParameterClause {
      report(.isGeneric(function.name.text), at: generics)
    }
    for parameter in function.signature.parameterClause.parameters {
      if parameter.ellipsis != nil {
        report(.variadic(parameter.type.trimmedDescription), at: parameter.type)
      } else {
        check(parameter.type)
      }
    }
    let effects = function.signature.effectSpecifiers
    checkError(effects?.throwsClause)
    let parameters = function.signature.parameterClause.parameters.enumerated().map {
      BusParameter($1, at: $0)
    }
    let (answer, results) = answer(
      function.result.map { resolved($0) }, isAsync: effects?.asyncSpecifier != nil, function.name)
    let shape = BusMethodShape(
      parameters: parameters, answer: answer, results: BusValueList(results),
      canThrow: effects?.throwsClause != nil)
    return member(function.name, function, .method(shape))
  }

  private mutating func checkError(_ clause: ThrowsClauseSyntax?) {
    guard let clause, clause.type?.trimmedDescription.isBusError != true else { return }
    let fixed = ThrowsClauseSyntax(
      throwsSpecifier: .keyword(.throws), leftParen: .leftParenToken(),
      type: TypeSyntax(stringLiteral: "BusError"), rightParen: .rightParenToken())
    report(
      .untypedError, at: clause,
      fix: SourceFix(
        "write 'throws(BusError)'", replacing: clause,
        with: fixed.with(\.leadingTrivia, clause.leadingTrivia)
          .with(\.trailingTrivia, clause.trailingTrivia)))
  }

  private mutating func answer(
    _ result: TypeSyntax?, isAsync: Bool, _ name: TokenSyntax
  ) -> (BusMethodShape.Answer, TypeSyntax?) {
    if isAsync {
      if declaration.attributes.globalActor == nil {
        report(.asyncWithoutActor(name.text), at: name)
      }
      checkList(result)
      return (.async, result)
    }
    guard let result, let (type, declared) = result.generic else {
      checkList(result)
      return (.now, result)
    }
    let arguments = declared.map { resolved($0) }
    switch (type, arguments.count) {
    case ("Single", 2):
      if !arguments[1].trimmedDescription.isBusError {
        report(
          .answerFailure("Single<\(arguments[0].trimmedDescription), BusError>"), at: arguments[1])
      }
      if BusValueList(arguments[0]).type == nil {
        report(.answerFailure("Completable<BusError>"), at: result)
      }
      checkList(arguments[0])
      return (.later, arguments[0])
    case ("Completable", 1):
      if !arguments[0].trimmedDescription.isBusError {
        report(.answerFailure("Completable<BusError>"), at: arguments[0])
      }
      return (.later, nil)
    default:
      checkList(result)
      return (.now, result)
    }
  }

  // MARK: - Properties and signals

  private mutating func variableMember(_ variable: VariableDeclSyntax) -> (BusMember, TokenSyntax)?
  {
    guard let binding = variable.bindings.first,
      let token = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
      let declared = binding.typeAnnotation?.type
    else { return nil }
    let type = resolved(declared)
    checkModifiers(variable.modifiers, token.text)
    let accessors = Accessors(binding.accessorBlock)
    if !accessors.effects.declaration.isEmpty { report(.propertyEffects(token.text), at: token) }
    let (name, parts) = type.generic ?? ("", [])
    let arguments = parts.map { resolved($0) }
    switch (name, arguments.count) {
    case ("Property", 1), ("ReadOnlyProperty", 1):
      check(arguments[0])
      return member(
        token, variable, .property(type: arguments[0], isWritable: name == "Property"))
    case ("EventStream", 2):
      if arguments[1].trimmedDescription != "Never" {
        report(.signalType(arguments[0].trimmedDescription), at: type)
      }
      checkList(arguments[0])
      return member(token, variable, .signal(BusValueList(arguments[0])))
    case ("PushStream", 1), ("ReplayStream", 1), ("Pulse", 1), ("Subject", 2), ("ControlEvent", 1):
      report(.signalType(arguments[0].trimmedDescription), at: type)
      return nil
    case ("Driver", 1), ("ControlProperty", 1):
      report(.propertyType(arguments[0].trimmedDescription), at: type)
      return nil
    default: break
    }
    check(type)
    if accessors.hasSetter {
      report(
        .settable(token.text, type.trimmedDescription), at: type,
        fix: makingProperty(variable, binding, type))
    }
    return member(token, variable, .constant(type: type.trimmed))
  }

  private func makingProperty(
    _ variable: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ type: TypeSyntax
  ) -> SourceFix {
    var fixed = binding
    fixed.typeAnnotation?.type = TypeSyntax(
      stringLiteral: "Property<\(type.trimmedDescription)> ")
    fixed.accessorBlock = AccessorBlockSyntax(
      leftBrace: .leftBraceToken(trailingTrivia: .space),
      accessors: .accessors([AccessorDeclSyntax(accessorSpecifier: .keyword(.get))]),
      rightBrace: .rightBraceToken(leadingTrivia: .space, trailingTrivia: binding.trailingTrivia))
    return SourceFix("make it a 'Property'", replacing: binding, with: fixed)
  }
}
