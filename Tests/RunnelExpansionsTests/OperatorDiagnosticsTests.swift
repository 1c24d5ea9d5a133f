import Testing

@Suite struct OperatorDiagnosticsTests {
  @Test(arguments: [
    (15, "+", "static func + (lhs: Int, rhs: String) -> Int"),
    (15, "==", "static func == (lhs: Self, rhs: Self) -> Bool"),
    (22, "-", "static prefix func - (x: Self) -> Self"),
    (15, "+=", "static func += (lhs: inout Self, rhs: Int)"),
    (15, "+", "static func + <T>(lhs: Self, rhs: T) -> Int"),
    (15, "+", "static func + ()"),
  ])
  func anOperatorNeedsExactlyOneSelf(column: Int, name: String, requirement: String) {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          \(requirement)
        }
        """,
      """
      2:\(column) a proxy can forward the operator '\(name)' only if exactly one operand is 'Self'
      """)
  }

  @Test func aDefaultOfAnOperatorIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @Default(1) static prefix func - (x: Self) -> Int
        }
        """,
      """
      2:3 a macro cannot define the default of the operator '-(_:)': write it yourself
      """)
  }
}
