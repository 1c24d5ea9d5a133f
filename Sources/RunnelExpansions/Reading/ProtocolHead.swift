import SwiftSyntax

extension ProtocolDeclSyntax {
  var accessModifier: DeclModifierSyntax? {
    let names = ["public", "package", "fileprivate", "private"]
    return modifiers.first { names.contains($0.name.text) }
  }

  /// The access modifier with a trailing space, or empty.
  var access: String { accessModifier.map { $0.name.text + " " } ?? "" }

  /// Returns the access modifier for members of generated types: the lowest level of the protocol and its
  /// owners.
  func memberAccess(within owners: [Syntax]) -> String {
    let ranks = ["public ": 2, "package ": 1]
    let levels = owners.compactMap { owner -> String? in
      guard !owner.is(ExtensionDeclSyntax.self),
        let modifiers = owner.asProtocol((any WithModifiersSyntax).self)?.modifiers
      else { return nil }
      let names = modifiers.map { $0.name.text + " " }
      return names.first { ranks[$0] != nil } ?? ""
    }
    let least = (levels + [access]).min { (ranks[$0] ?? 0) < (ranks[$1] ?? 0) } ?? ""
    return ranks[least] == nil ? "" : least
  }

  var isNonisolated: Bool { modifiers.contains { $0.name.text == "nonisolated" } }

  /// Attributes such as `@available`, which generated types have too.
  var availability: [String] { ["available", "_spi"].flatMap { attributes.all(named: $0) } }

  /// The names of the inherited types, including those of `where Self: AnyObject`.
  var inheritedNames: [String] {
    let types = inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    let constraints = genericWhereClause?.requirements.compactMap { item -> String? in
      guard case .conformanceRequirement(let requirement) = item.requirement,
        requirement.leftType.trimmedDescription == "Self"
      else { return nil }
      return requirement.rightType.trimmedDescription
    }
    return (types + (constraints ?? [])).flatMap { $0.split(separator: "&") }.map { part in
      let name = part.filter { !$0.isWhitespace }
      let modules = ["Swift.", "Foundation.", "FoundationNetworking.", "FoundationXML."]
      let module = modules.first { name.hasPrefix($0) } ?? ""
      return String(name.dropFirst(module.count))
    }
  }

  var primaryNames: [String] {
    primaryAssociatedTypeClause?.primaryAssociatedTypes.map(\.name.text) ?? []
  }

  /// The associated types that the protocol declares itself.
  var declaredTypes: [AssociatedTypeDeclSyntax] {
    memberBlock.members.compactMap { $0.decl.as(AssociatedTypeDeclSyntax.self) }
  }

  /// Returns the constraints of the protocol and its associated types on the given names.
  func constraints(of names: [String]) -> [String] {
    let clauses = declaredTypes.map(\.genericWhereClause) + [genericWhereClause]
    let demands = clauses.compactMap { $0?.requirements }.flatMap { list in
      list.map { $0.requirement.trimmedDescription.withoutSelf }
    }
    return demands.filter { demand in
      names.contains(String(demand.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
    }
  }

  func makingPrimary(_ names: [String]) -> SourceFix {
    var fixed = self
    let space =
      primaryAssociatedTypeClause?.trailingTrivia ?? name.trailingTrivia
    fixed.name.trailingTrivia = []
    fixed.primaryAssociatedTypeClause = PrimaryAssociatedTypeClauseSyntax(
      primaryAssociatedTypes: PrimaryAssociatedTypeListSyntax(
        names.enumerated().map { index, name in
          PrimaryAssociatedTypeSyntax(
            name: .identifier(name),
            trailingComma: index < names.count - 1 ? .commaToken(trailingTrivia: .space) : nil)
        }), trailingTrivia: space)
    return SourceFix(
      "make '\(names.joined(separator: "', '"))' primary", replacing: self, with: fixed)
  }

  /// Returns a fix that makes the protocol inherit from further types.
  func inheriting(_ names: [String]) -> SourceFix {
    var fixed = self
    if let clause = inheritanceClause {
      let all = inherited(names, beforeOthers: true) + Array(clause.inheritedTypes)
      fixed.inheritanceClause?.inheritedTypes = InheritedTypeListSyntax(all)
    } else if primaryAssociatedTypeClause != nil {
      let space = fixed.primaryAssociatedTypeClause?.trailingTrivia ?? .space
      fixed.primaryAssociatedTypeClause?.trailingTrivia = []
      fixed.inheritanceClause = clause(names, before: space)
    } else {
      let space = fixed.name.trailingTrivia
      fixed.name.trailingTrivia = []
      fixed.inheritanceClause = clause(names, before: space)
    }
    let list = names.map { "'\($0)'" }.joined(separator: " and ")
    return SourceFix("inherit from \(list)", replacing: self, with: fixed)
  }

  private func clause(_ names: [String], before space: Trivia) -> InheritanceClauseSyntax {
    InheritanceClauseSyntax(
      colon: .colonToken(trailingTrivia: .space),
      inheritedTypes: InheritedTypeListSyntax(inherited(names, beforeOthers: false)),
      trailingTrivia: space)
  }

  private func inherited(_ names: [String], beforeOthers: Bool) -> [InheritedTypeSyntax] {
    names.map { name in
      let isLast = name == names.last && !beforeOthers
      return InheritedTypeSyntax(
        type: TypeSyntax(stringLiteral: name),
        trailingComma: isLast ? nil : .commaToken(trailingTrivia: .space))
    }
  }
}
