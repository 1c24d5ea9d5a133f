import Testing

@testable import RunnelExpansions

@Suite struct ExpansionTests {
  @Test func aMethodIsToldAndHandedOn() {
    let expanded = Expanding(
      """
      @Proxied
      protocol A: AnyObject {
        func told(_ x: Int)
      }
      """)
    print(expanded.text)
    #expect(expanded.diagnostics.isEmpty)
  }
}
