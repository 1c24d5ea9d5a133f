import RunnelExpansions
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The program that the compiler starts and asks for expansions, over standard input and output.
@main
struct Plugin: PluginProvider {
  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "ProxiedMacro": ProxiedMacro.self
    case "DefaultMacro": DefaultMacro.self
    case "CountedConformerMacro": CountedConformerMacro.self
    default:
      throw PluginError(description: "RunnelMacros has no macro '\(moduleName).\(typeName)'.")
    }
  }

  static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
  }
}

private struct PluginError: Error, CustomStringConvertible {
  let description: String
}
