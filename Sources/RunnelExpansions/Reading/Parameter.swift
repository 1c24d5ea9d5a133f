import SwiftParser
import SwiftSyntax

/// A parameter of a method or a subscript.
struct Parameter {
  enum Passing {
    case plain
    case inOut
    case variadic
    /// `borrowing` or `consuming`: copied for each receiver.
    case owned
    /// A non-escaping closure, which may only be called until the method returns.
    case borrowedClosure
    /// An `@autoclosure`, which may be stored if it is `@escaping`.
    case autoclosure(escapes: Bool, Effects)
    /// A parameter pack: `repeat each T`.
    case pack
  }

  /// The label at the call site; nil if there is none.
  let label: String?
  /// The name in the body.
  let name: String
  let passing: Passing
  /// The declared type, without `inout` and the dots of a variadic parameter.
  let type: TypeSyntax
  /// The type that the closure of a stream receives.
  let argumentType: String
  /// The declaration of the parameter, with a name for the body.
  let declaration: String

  init(_ parameter: FunctionParameterSyntax, at index: Int, labelsByDefault: Bool = true) {
    var declared = parameter.trimmed
    declared.trailingComma = nil
    if Parameter.isTaken((declared.secondName ?? declared.firstName).text.withoutBackticks) {
      declared.firstName.trailingTrivia = .space
      declared.secondName = .identifier("argument\(index)")
    }
    let inner = declared.secondName ?? declared.firstName
    let hasLabel = labelsByDefault || parameter.secondName != nil
    label =
      declared.firstName.text == "_" || !hasLabel ? nil : declared.firstName.text.withoutBackticks
    if !hasLabel && declared.secondName != nil {
      declared.firstName = .wildcardToken(trailingTrivia: .space)
    }
    name = inner.text.asReference
    declaration = declared.trimmedDescription
    (type, argumentType, passing) = Parameter.read(
      parameter.type, isVariadic: parameter.ellipsis != nil)
  }

  /// Returns true if the name would conflict with a name in the generated body.
  private static func isTaken(_ name: String) -> Bool {
    ["_", "self", "answer", "target", "newValue", "apply", "call"].contains(name)
      || name.hasPrefix("argument")
      || ["Argument", "Target", "Requirements"].contains { name.hasSuffix($0) }
  }

  private static func read(
    _ type: TypeSyntax, isVariadic: Bool
  ) -> (TypeSyntax, String, Passing) {
    if isVariadic { return (type, "[\(type.asArgument)]", .variadic) }
    if type.is(PackExpansionTypeSyntax.self) { return (type, type.asArgument, .pack) }
    guard let attributed = type.as(AttributedTypeSyntax.self) else {
      if type.is(FunctionTypeSyntax.self) {
        return (type, type.asArgument, .borrowedClosure)
      }
      return (type, type.asArgument, .plain)
    }
    let specifiers = Set(attributed.specifiers.map { $0.trimmedDescription })
    let names = attributed.attributes.compactMap { $0.as(AttributeSyntax.self) }
    let escapes = names.contains { $0.isNamed("escaping") }
    let kept = names.filter { !$0.isNamed("escaping") && !$0.isNamed("autoclosure") }
      .map { $0.trimmedDescription + " " }.joined()
    let base = attributed.baseType
    if specifiers.contains("inout") {
      return (base, "InoutArgument<\(kept)\(base.asArgument)>", .inOut)
    }
    if names.contains(where: { $0.isNamed("autoclosure") }) {
      let effects = Effects(base.as(FunctionTypeSyntax.self)?.effectSpecifiers)
      return (type, kept + base.asArgument, .autoclosure(escapes: escapes, effects))
    }
    if !specifiers.isDisjoint(with: ["borrowing", "consuming", "__owned", "__shared"]) {
      return (type, kept + base.asArgument, .owned)
    }
    let isClosure = base.is(FunctionTypeSyntax.self) && !escapes
    return (
      type, kept + base.asArgument,
      isClosure ? .borrowedClosure : .plain
    )
  }

  /// The argument for the target.
  var forwarded: String {
    let value =
      switch passing {
      case .inOut: "&\(name)"
      case .autoclosure(_, let effects): "\(effects.mark)\(name)()"
      case .pack: "repeat each \(name)"
      case .owned: "copy \(name)"
      case .plain, .variadic, .borrowedClosure: name
      }
    return label.map { "\($0.asLabel): \(value)" } ?? value
  }

  /// The argument for the streams.
  var argument: String {
    switch passing {
    case .inOut: boxName
    case .owned: "copy \(name)"
    case .plain, .variadic, .borrowedClosure, .autoclosure, .pack: name
    }
  }

  /// The variable that holds an `inout` parameter for the streams.
  var boxName: String { "\(name.withoutBackticks)Argument" }

  var isInout: Bool {
    if case .inOut = passing { return true }
    return false
  }

  var isVariadic: Bool {
    if case .variadic = passing { return true }
    return false
  }

  /// True if the parameter must not be stored beyond the call.
  var isBorrowed: Bool {
    switch passing {
    case .borrowedClosure, .autoclosure(escapes: false, _): true
    case .plain, .inOut, .variadic, .owned, .autoclosure, .pack: false
    }
  }

  /// The type within the type of the function.
  var typeInSignature: String {
    switch passing {
    case .inOut: "inout \(type.trimmedDescription)"
    case .variadic: "\(type.trimmedDescription)..."
    case .plain, .owned, .borrowedClosure, .autoclosure, .pack: type.trimmedDescription
    }
  }
}

extension TypeSyntax {
  /// The type as a generic argument. An implicitly unwrapped optional becomes an optional, and an
  /// associated type becomes a generic parameter of the proxy.
  var asArgument: String {
    if let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return "\(unwrapped.wrappedType.trimmedDescription)?".withoutSelf
    }
    return trimmedDescription.withoutSelf
  }

  /// True if the type is a `some` type or contains one.
  var isOpaque: Bool {
    if self.is(SomeOrAnyTypeSyntax.self) {
      return self.cast(SomeOrAnyTypeSyntax.self).someOrAnySpecifier.text == "some"
    }
    return children(viewMode: .sourceAccurate).contains { child in
      child.as(TypeSyntax.self)?.isOpaque == true
        || child.children(viewMode: .sourceAccurate).contains {
          $0.as(TypeSyntax.self)?.isOpaque == true
        }
    }
  }

  /// True if the value is `sending`, so that only the target may receive it.
  var isSending: Bool {
    self.as(AttributedTypeSyntax.self)?.specifiers.contains { $0.trimmedDescription == "sending" }
      ?? false
  }

  /// The type as part of a name.
  var asName: String {
    String(trimmedDescription.map { $0.isLetter || $0.isNumber ? $0 : "_" })
      .split(separator: "_").joined(separator: "_")
  }
}

extension String {
  /// The type without a `Self.` prefix: `Item` for `Self.Item`.
  var withoutSelf: String { replacing(#/\bSelf\./#, with: "") }

  /// The name as an argument label. Most keywords need no backticks there.
  var asLabel: String {
    let isPlain = isValidSwiftIdentifier(for: .memberAccess) || self == "self" || self == "init"
    return isPlain && self != "inout" ? self : "`\(self)`"
  }

  /// The name as a reference in a body, in backticks if it is a keyword.
  var asReference: String {
    isValidSwiftIdentifier(for: .variableName) || hasPrefix("`") ? self : "`\(self)`"
  }
}
