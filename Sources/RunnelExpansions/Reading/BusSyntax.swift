import SwiftSyntax

extension AttributeListSyntax {
  /// The attribute of the global actor of a requirement.
  var ownActor: String? {
    let all = lazy.compactMap { $0.as(AttributeSyntax.self)?.trimmedDescription }
    return all.first { $0.hasSuffix("Actor") }
  }
}

extension TypeSyntax {
  /// The name and the arguments of a generic type; nil for another type.
  var generic: (name: String, arguments: [TypeSyntax])? {
    let clause: GenericArgumentClauseSyntax?
    let name: String
    if let identifier = self.as(IdentifierTypeSyntax.self) {
      (name, clause) = (identifier.name.text, identifier.genericArgumentClause)
    } else if let member = self.as(MemberTypeSyntax.self) {
      (name, clause) = (member.name.text, member.genericArgumentClause)
    } else {
      return nil
    }
    guard let clause else { return nil }
    let arguments = clause.arguments.compactMap { argument -> TypeSyntax? in
      if case .type(let type) = argument.argument { type } else { nil }
    }
    return (name, arguments)
  }
}

extension StringProtocol {
  /// True for the name of a member on the bus.
  var isMemberName: Bool {
    guard let first = utf8.first, utf8.count <= 255,
      !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first)
    else { return false }
    return unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0))
    }
  }

  /// True for the error type, qualified by any module.
  var isBusError: Bool { self == "BusError" || hasSuffix(".BusError") }
}
