import SwiftDiagnostics
import SwiftSyntax

/// A protocol with `@BusInterface`, as the macro has read it.
struct BusProtocol {
  /// The name as declared, possibly in backticks.
  let name: String
  /// The name of the interface on the bus.
  let interface: String
  /// The access modifier with a trailing space, such as `public `, or empty.
  let access: String
  /// The access modifier for members: at most the level of the protocol's owners.
  let memberAccess: String
  /// The attribute of the global actor, if the protocol is isolated to one.
  let isolation: String?
  let isNonisolated: Bool
  /// Attributes such as `@available`, which apply to the class too.
  let availability: [String]
  /// The type aliases of the protocol, which the class has too.
  let aliases: [BusTypeAlias]
  let members: [BusMember]

  /// Reads a declaration and returns the protocol with its diagnostics.
  static func read(
    _ declaration: some SyntaxProtocol, attribute: AttributeSyntax, within owners: [Syntax]
  ) -> (BusProtocol?, [Diagnostic]) {
    guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
      return (nil, [BusInterfaceError.notAProtocol.diagnostic(at: attribute)])
    }
    // A declaration without a name is incomplete: it is being typed.
    guard !declaration.name.text.isEmpty else { return (nil, []) }
    var reader = BusProtocolReader(declaration)
    let read = reader.read(attribute, within: owners)
    return (read, reader.diagnostics)
  }
}

/// A type alias in a protocol with `@BusInterface`.
struct BusTypeAlias {
  let documentation: [String]
  /// The declaration without modifiers.
  let declaration: String

  init(_ alias: TypeAliasDeclSyntax) {
    documentation = alias.leadingTrivia.documentationLines
    var declared = alias.trimmed
    (declared.attributes, declared.modifiers) = ([], [])
    declaration = declared.trimmedDescription
  }
}

/// A requirement of a protocol with `@BusInterface`.
struct BusMember {
  enum Kind {
    case method(BusMethodShape)
    /// A property that other programs write, if `isWritable`.
    case property(type: TypeSyntax, isWritable: Bool)
    /// A property whose value does not change.
    case constant(type: TypeSyntax)
    case signal(BusValueList)
  }

  /// The name in Swift.
  let name: String
  /// The name on the bus.
  let busName: String
  let kind: Kind
  /// The expression of `@BusMember(changes:)`.
  let changes: String?
  /// True if changes of the property are not announced.
  var isSilent: Bool { changes?.hasSuffix(".silent") == true }
  let documentation: [String]
  /// Attributes such as `@available`, each with a trailing space.
  let attributes: String
  var isDeprecated: Bool { attributes.contains("deprecated") }
  /// `@discardableResult` with a trailing space, or empty.
  let discardable: String
}

/// The parameters and the result of a method.
struct BusMethodShape {
  /// The form of the answer.
  enum Answer {
    /// The method returns it.
    case now
    /// The method is async.
    case async
    /// The method returns a `Single`, or a `Completable` if there are no values.
    case later
  }

  let parameters: [BusParameter]
  let answer: Answer
  let results: BusValueList
  let canThrow: Bool
}

/// A parameter of a method.
struct BusParameter {
  /// The label at the call site; nil if there is none.
  let label: String?
  /// The name in the body.
  let name: String
  /// The name for introspection, which may be empty.
  let busName: String
  let type: TypeSyntax
  let declaration: String

  /// The names that the generated code uses.
  private static let usedNames = [
    "_", "self", "object", "interface", "remote", "finish", "task", "error",
  ]

  init(_ parameter: FunctionParameterSyntax, at index: Int) {
    var declared = parameter.trimmed
    declared.trailingComma = nil
    let inner = (declared.secondName ?? declared.firstName).text
    busName = inner == "_" ? "" : inner.withoutBackticks
    if Self.usedNames.contains(inner.withoutBackticks) {
      declared.firstName.trailingTrivia = .space
      declared.secondName = .identifier("argument\(index)")
    }
    label = declared.firstName.text == "_" ? nil : declared.firstName.text.withoutBackticks
    name = (declared.secondName ?? declared.firstName).text.asReference
    type = parameter.type.trimmed
    declaration = declared.trimmedDescription
  }

  /// The argument for the object's method.
  var forwarded: String { label.map { "\($0.asLabel): \(name)" } ?? name }
}

/// The results of a method, or the values of a signal: none, one, or the elements of a tuple.
struct BusValueList {
  /// The type as declared; nil without values.
  let type: TypeSyntax?
  private(set) var elements: [(label: String?, type: TypeSyntax)] = []

  init(_ declared: TypeSyntax?) {
    type = declared.flatMap { $0.isVoid ? nil : $0.trimmed }
    guard let type else { return }
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count > 1 {
      elements = tuple.elements.map { ($0.firstName?.text, $0.type.trimmed) }
    } else {
      elements = [(nil, type)]
    }
  }

  var isTuple: Bool { elements.count > 1 }

  /// The type, or `Void`.
  var text: String { type?.trimmedDescription ?? "Void" }

  /// The types without labels, as a type: `(UInt32, String)`.
  var unlabelled: String {
    let types = elements.map(\.type.trimmedDescription).joined(separator: ", ")
    return isTuple ? "(\(types))" : text
  }

  /// The types as arguments: `UInt32.self, String.self`.
  var metatypes: String {
    let types = elements.map { $0.type.trimmedDescription + ".self" }
    return types.joined(separator: ", ")
  }

  /// The names for introspection as an array literal: `["id", "key"]`.
  var names: String {
    let names = elements.map { $0.label?.withoutBackticks ?? "" }
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    return "[\(list)]"
  }

  private var hasLabels: Bool { elements.contains { $0.label != nil } }

  /// The operator that adds the labels to a tuple.
  var addingLabels: String { mapping { label in label.map { "\($0): " } ?? "" } }

  /// The operator that removes the labels from a tuple.
  var removingLabels: String { mapping { _ in "" } }

  private func mapping(_ label: (String?) -> String) -> String {
    guard hasLabels else { return "" }
    let parts = elements.enumerated().map { "\(label($1.label))$0.\($0)" }
    let tuple = parts.joined(separator: ", ")
    return ".map { (\(tuple)) }"
  }
}
