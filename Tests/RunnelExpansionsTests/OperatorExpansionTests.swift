import Testing

@Suite struct OperatorExpansionTests {
  @Test func operatorsAreMembersOfTheClass() {
    expectRequirements(
      """
      static func += (lhs: Self, rhs: Int)
      static func == (lhs: Int, rhs: Self) -> Bool
      """,
      inClass: """
        static func += (lhs: DelegateProxy, rhs: Int) {
          func apply(_ lhs: some Delegate) { lhs += rhs }
          if let target = lhs.delegateTarget { apply(target) }
        }
        static func == (lhs: Int, rhs: DelegateProxy) -> Bool {
          func apply(_ rhs: some Delegate) -> Bool { lhs == rhs }
          if let target = rhs.delegateTarget { return apply(target) }
          ProxyTies.unanswered("Delegate.==(_:_:)")
        }
        """)
  }

  @Test func prefixAndPostfixOperatorsAreForwarded() {
    expectRequirements(
      """
      static prefix func - (x: Self) -> Int
      static postfix func ++ (x: Self) throws -> Int
      """,
      inClass: """
        static prefix func - (x: DelegateProxy) -> Int {
          func apply(_ x: some Delegate) -> Int { -x }
          if let target = x.delegateTarget { return apply(target) }
          ProxyTies.unanswered("Delegate.-(_:)")
        }
        static postfix func ++ (x: DelegateProxy) throws -> Int {
          func apply(_ x: some Delegate) throws -> Int { try x++ }
          if let target = x.delegateTarget { return try apply(target) }
          ProxyTies.unanswered("Delegate.++(_:)")
        }
        """)
  }

  @Test func operatorsMayHaveAnInoutOperand() {
    expectRequirements(
      "static func => (target: Self, argument: inout Int)",
      inClass: """
        static func => (_ argument0: DelegateProxy, _ argument1: inout Int) {
          func apply(_ argument0: some Delegate) { argument0 => argument1 }
          if let target = argument0.delegateTarget { apply(target) }
        }
        """)
  }

  @Test func operatorsOfAGenericProxyAreForwarded() {
    expectDifference(
      of: """
        @Proxied protocol Picker<Item>: AnyObject {
          associatedtype Item
          static func += (lhs: Self, rhs: Self.Item)
        }
        """,
      from: """
        @Proxied protocol Picker<Item>: AnyObject {
          associatedtype Item
        }
        """,
      """
          init() {}
      +   static func += (lhs: PickerProxy<Item>, rhs: Item) {
      +     func apply(_ lhs: some Picker<Item>) { lhs += rhs }
      +     if let target = lhs.pickerTarget { apply(target) }
      +   }
      """)
  }
}
