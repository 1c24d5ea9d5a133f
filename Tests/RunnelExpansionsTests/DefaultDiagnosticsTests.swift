import Testing

@Suite struct DefaultDiagnosticsTests {
  @Test(arguments: [
    ("asked()", "@Default func asked() -> Int"),
    ("x", "@Default() var x: Int { get }"),
    ("subscript(_:)", "@Default subscript(x: Int) -> Int { get }"),
  ])
  func theDefaultOfAResultNeedsAValue(name: String, requirement: String) {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          \(requirement)
        }
        """,
      "2:3 the default of '\(name)' needs a value: @Default(value)")
  }

  @Test func defaultWithoutAResultHasNoValue() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @Default(1) func told()
        }
        """,
      "2:3 'told()' returns nothing, so its default has no value: @Default")
  }

  @Test(arguments: [
    ("@Proxied protocol Delegate<Item>: AnyObject", "@Default associatedtype Item"),
    ("class Delegate", "@Default(1) var x: Int { 1 }"),
    ("protocol Delegate: AnyObject", "@Default func told()"),
    ("extension Delegate", "@Default func told() {}"),
  ])
  func aDefaultElsewhereIsAnError(owner: String, member: String) {
    expectReport(
      on: """
        \(owner) {
          \(member)
        }
        """,
      "2:3 @Default can only be applied to a requirement of a @Proxied protocol")
  }

  @Test func defaultOutsideATypeIsAnError() {
    expectReport(
      on: "@Default(1) func asked() -> Int { 1 }",
      "1:1 @Default can only be applied to a requirement of a @Proxied protocol")
  }
}
