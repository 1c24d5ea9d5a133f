import SwiftSyntax

/// A part of a type that D-Bus cannot carry.
struct BusTypeFault {
  let node: Syntax
  let error: BusInterfaceError
  /// The type to write instead, if there is one.
  var replacement: String?

  /// Returns the first fault of the type of a value, or nil. Unknown types are left to the compiler.
  static func first(in type: TypeSyntax) -> BusTypeFault? {
    if let array = type.as(ArrayTypeSyntax.self) { return first(in: array.element) }
    if let dictionary = type.as(DictionaryTypeSyntax.self) {
      return first(inKey: dictionary.key) ?? first(in: dictionary.value)
    }
    if let tuple = type.as(TupleTypeSyntax.self) {
      if tuple.elements.count == 1, let element = tuple.elements.first {
        return first(in: element.type)
      }
      return BusTypeFault(node: Syntax(type), error: tuple.elements.isEmpty ? .emptyValue : .tuple)
    }
    if let identifier = type.as(IdentifierTypeSyntax.self) {
      return fault(of: identifier.name.text, identifier.genericArgumentClause, type)
    }
    if let member = type.as(MemberTypeSyntax.self) {
      guard ["Swift", "Foundation"].contains(member.baseType.trimmedDescription) else { return nil }
      return fault(of: member.name.text, member.genericArgumentClause, type)
    }
    if let attributed = type.as(AttributedTypeSyntax.self) {
      if attributed.baseType.is(FunctionTypeSyntax.self) { return first(in: attributed.baseType) }
      return BusTypeFault(
        node: Syntax(type), error: .copied, replacement: attributed.baseType.trimmedDescription)
    }
    switch type.kind {
    case .optionalType, .implicitlyUnwrappedOptionalType:
      return BusTypeFault(node: Syntax(type), error: .optional)
    case .functionType: return BusTypeFault(node: Syntax(type), error: .closure)
    default:
      return BusTypeFault(node: Syntax(type), error: .noType(type.trimmedDescription, "Variant"))
    }
  }

  private static func first(inKey key: TypeSyntax) -> BusTypeFault? {
    if key.is(ArrayTypeSyntax.self) || key.is(DictionaryTypeSyntax.self)
      || key.trimmedDescription == "Variant"
    {
      return BusTypeFault(node: Syntax(key), error: .key)
    }
    return first(in: key)
  }

  private static func fault(
    of name: String, _ clause: GenericArgumentClauseSyntax?, _ type: TypeSyntax
  ) -> BusTypeFault? {
    let arguments =
      clause?.arguments.compactMap { argument -> TypeSyntax? in
        if case .type(let type) = argument.argument { type } else { nil }
      } ?? []
    switch (name, arguments.count) {
    case ("Array", 1): return first(in: arguments[0])
    case ("Dictionary", 2): return first(inKey: arguments[0]) ?? first(in: arguments[1])
    case ("Optional", 1): return BusTypeFault(node: Syntax(type), error: .optional)
    case ("Void", 0): return BusTypeFault(node: Syntax(type), error: .emptyValue)
    default: break
    }
    let known = replacement(of: name, arguments)
    return known.map {
      BusTypeFault(
        node: Syntax(type), error: .noType(type.trimmedDescription, $0), replacement: $0)
    }
  }

  private static func replacement(of name: String, _ arguments: [TypeSyntax]) -> String? {
    switch name {
    case "Int", "Int128": "Int64"
    case "UInt", "UInt128": "UInt64"
    case "Int8": "Int16"
    case "Float", "Float16", "Float80": "Double"
    case "Character", "Substring", "StaticString", "URL": "String"
    case "Any", "Self": "Variant"
    case "Data": "[UInt8]"
    case "Set" where arguments.count == 1: "[\(arguments[0].trimmedDescription)]"
    default: nil
    }
  }
}
