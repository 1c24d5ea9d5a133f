import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@CountedConformer`, which `@Proxied` writes at a proxy.
///
/// Where a module has but one type that conforms to a protocol of its own, the optimizer calls that
/// type's methods for all that the protocol stands for. It does not look at the types that macros put
/// beside a declaration, so it would take a program's only delegate for the only conformer, and call
/// its methods on proxies. It does look at extensions that macros make, and finds another conformer there.
package enum CountedConformerMacro: ExtensionMacro {
  package static let formatMode = FormatMode.disabled

  package static func expansion(
    of attribute: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let proxy = declaration.as(ClassDeclSyntax.self) else { return [] }
    let parameters = proxy.genericParameterClause?.parameters.map(\.name.text) ?? []
    let arguments = parameters.isEmpty ? "" : "<\(parameters.joined(separator: ", "))>"
    let names = ProtocolNames(
      owner: type.ownerPath, name: String(proxy.name.text.withoutBackticks.dropLast("Proxy".count)),
      arguments: arguments)
    var body = Code(
      "var \(names.prefix)Requirements: \(names.proxy).Requirements", Code(["fatalError()"]))
    body += Code("var \(names.prefix)Target: (any \(names.target))?", Code(["nil"]))
    for function in proxy.memberBlock.members.compactMap({ $0.decl.as(FunctionDeclSyntax.self) }) {
      // An operator, which is forwarded in the class.
      body += Code([
        function.trimmedDescription.replacing("\(proxy.name.text)\(arguments)", with: "Counted")
      ])
    }
    let isNonisolated = proxy.modifiers.contains { $0.name.text == "nonisolated" }
    let nonisolated = isNonisolated ? "nonisolated " : ""
    let counted = Code(
      "\(nonisolated)private final class Counted: \(names.forwarding)", body)
    return [
      try ExtensionDeclSyntax(
        SyntaxNodeString(stringLiteral: Code("extension \(type.trimmed)", counted).text))
    ]
  }
}
