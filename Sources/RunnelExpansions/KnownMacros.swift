import SwiftSyntaxMacros

/// The macros by the names that the compiler asks for.
package enum KnownMacros {
  /// The macro of a name.
  package static func named(_ name: String, of module: String) throws -> any Macro.Type {
    switch name {
    case "ProxiedMacro": ProxiedMacro.self
    case "DefaultMacro": DefaultMacro.self
    case "DecoyConformersMacro": DecoyConformersMacro.self
    default: throw UnknownMacro(description: "RunnelMacros has no macro '\(module).\(name)'.")
    }
  }
}

private struct UnknownMacro: Error, CustomStringConvertible {
  let description: String
}
