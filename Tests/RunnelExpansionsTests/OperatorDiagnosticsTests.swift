import Testing

@Suite struct OperatorDiagnosticsTests {
  @Test func anOperatorWithoutSelfIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static func + (lhs: Int, rhs: String) -> Int
        }
        """,
      """
      2:15 a proxy can forward the operator '+' only if exactly one operand is 'Self'
      """)
  }

  @Test func anOperatorWithTwoSelvesIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static func == (lhs: Self, rhs: Self) -> Bool
        }
        """,
      """
      2:15 a proxy can forward the operator '==' only if exactly one operand is 'Self'
      """)
  }

  @Test func anOperatorReturningSelfIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static prefix func - (x: Self) -> Self
        }
        """,
      """
      2:22 a proxy can forward the operator '-' only if exactly one operand is 'Self'
      """)
  }

  @Test func anOperatorWithInoutSelfIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static func += (lhs: inout Self, rhs: Int)
        }
        """,
      """
      2:15 a proxy can forward the operator '+=' only if exactly one operand is 'Self'
      """)
  }

  @Test func aGenericOperatorIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static func + <T>(lhs: Self, rhs: T) -> Int
        }
        """,
      """
      2:15 a proxy can forward the operator '+' only if exactly one operand is 'Self'
      """)
  }

  @Test func anOperatorWithoutOperandsIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static func + ()
        }
        """,
      """
      2:15 a proxy can forward the operator '+' only if exactly one operand is 'Self'
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
