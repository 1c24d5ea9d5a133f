import SwiftSyntaxMacros

/// The macros of this module by name.
package enum KnownMacros {
  package static func named(_ name: String, of module: String) throws -> any Macro.Type {
    switch name {
    case "ProxiedMacro": ProxiedMacro.self
    case "DefaultMacro": DefaultMacro.self
    case "DecoyConformersMacro": DecoyConformersMacro.self
    case "BusInterfaceMacro": BusInterfaceMacro.self
    case "BusMemberMacro": BusMemberMacro.self
    default: throw UnknownMacro(description: "RunnelMacros has no macro '\(module).\(name)'.")
    }
  }
}

private struct UnknownMacro: Error, CustomStringConvertible {
  let description: String
}
