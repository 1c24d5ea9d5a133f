import Testing

@testable import RunnelExpansions

@Suite struct SizeExpansionTests {
  @Test func twoHundredOverloadsHaveDistinctKeys() {
    let requirements = (0..<200).map { "  func told(_ x: Type\($0 % 50))" }
    let expanded = Expanding(
      "@Proxied protocol Delegate: AnyObject {\n\(requirements.joined(separator: "\n"))\n}")
    #expect(expanded.report == "")
    let keys = expanded.text.matches(of: /let (told_Type\d+(?:_\d)?) = EventRequirement/).map(\.1)
    #expect(Set(keys).count == 200)
    let sent = expanded.text.matches(of: /Requirements.(\w+).listeners\?.send\(x\)/).map(\.1)
    #expect(sent == keys)
  }
}
