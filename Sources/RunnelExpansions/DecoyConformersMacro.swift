import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@DecoyConformers`, which `@Proxied` adds to a proxy: adds two classes that conform to the
/// protocol.
///
/// The optimizer looks for protocols with exactly one conforming type in the module, and calls the
/// methods of that type directly. It counts types in the source and in extensions that macros
/// generate. It does not count types that a peer macro generates, such as the proxy. With two
/// decoys it always counts at least two. No decoy is ever instantiated. See
/// `Documentation/Decisions/why-a-proxy-has-two-decoys.md`.
package enum DecoyConformersMacro: ExtensionMacro {
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
    let isNonisolated = proxy.modifiers.contains { $0.name.text == "nonisolated" }
    let head = "\(isNonisolated ? "nonisolated " : "")private final class"
    let operators = proxy.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
    let first = proxy.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    let superclass = first == "NSObject" ? "NSObject, " : ""
    var decoys = Code()
    for decoy in ["FirstDecoy", "SecondDecoy"] {
      var body = Code(
        "var \(names.prefix)Requirements: \(names.proxy).Requirements", Code(["fatalError()"]))
      body += Code("var \(names.prefix)Target: (any \(names.target))?", Code(["nil"]))
      // The only functions in the class are operators of the protocol, which an extension cannot
      // implement.
      for function in operators {
        let own = "\(proxy.name.text)\(arguments)"
        body += Code([function.trimmedDescription.replacing(own, with: decoy)])
      }
      decoys += Code("\(head) \(decoy): \(superclass)\(names.forwarding)", body)
    }
    return [
      try ExtensionDeclSyntax(
        SyntaxNodeString(stringLiteral: Code("extension \(type.trimmed)", decoys).text))
    ]
  }
}
