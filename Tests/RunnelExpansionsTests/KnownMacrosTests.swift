import Testing

@testable import RunnelExpansions

@Suite struct KnownMacrosTests {
  @Test func thePluginFindsItsMacros() throws {
    let proxied = try KnownMacros.named("ProxiedMacro", of: "RunnelMacros")
    #expect(proxied is ProxiedMacro.Type)
    let marked = try KnownMacros.named("DefaultMacro", of: "RunnelMacros")
    #expect(marked is DefaultMacro.Type)
    let decoys = try KnownMacros.named("DecoyConformersMacro", of: "RunnelMacros")
    #expect(decoys is DecoyConformersMacro.Type)
    let interface = try KnownMacros.named("BusInterfaceMacro", of: "RunnelMacros")
    #expect(interface is BusInterfaceMacro.Type)
    let member = try KnownMacros.named("BusMemberMacro", of: "RunnelMacros")
    #expect(member is BusMemberMacro.Type)
  }

  @Test func anUnknownMacroIsAnErrorWithItsName() {
    let error = #expect(throws: (any Error).self) {
      try KnownMacros.named("OtherMacro", of: "RunnelMacros")
    }
    #expect(error.map { "\($0)" } == "RunnelMacros has no macro 'RunnelMacros.OtherMacro'.")
  }
}
