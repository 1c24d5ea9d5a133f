import Testing

@Suite struct ConditionExpansionTests {
  @Test func conditionsAreCopiedAroundMembers() {
    expectRequirements(
      """
      #if DEBUG
      func told(_ x: Int)
      #endif
      """,
      keys: """
        #if DEBUG
        let told = EventRequirement<Int>()
        #endif
        """,
      forwarding: """
        #if DEBUG
        func told(_ x: Int) {
          delegateRequirements.told.listeners?.send(x)
          delegateTarget?.told(x)
        }
        #endif
        """)
  }

  @Test func clausesMayHaveEqualKeys() {
    expectRequirements(
      """
      #if DEBUG
      func told(_ x: Int)
      #elseif os(Linux)
      func told(_ x: String)
      #else
      #endif
      """,
      keys: """
        #if DEBUG
        let told = EventRequirement<Int>()
        #elseif os(Linux)
        let told = EventRequirement<String>()
        #else
        #endif
        """,
      forwarding: """
        #if DEBUG
        func told(_ x: Int) {
          delegateRequirements.told.listeners?.send(x)
          delegateTarget?.told(x)
        }
        #elseif os(Linux)
        func told(_ x: String) {
          delegateRequirements.told.listeners?.send(x)
          delegateTarget?.told(x)
        }
        #else
        #endif
        """)
  }

  @Test func conditionsCanBeNested() {
    expectRequirements(
      """
      #if DEBUG // while testing
      #if os(Linux)
      @Default func told()
      #endif
      func asked() -> Int
      #endif
      """,
      keys: """
        #if DEBUG
        #if os(Linux)
        let told = EventRequirement< >()
        #endif
        let asked = AnswerRequirement<Int, Never>()
        #endif
        """,
      forwarding: """
        #if DEBUG
        #if os(Linux)
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
        #endif
        func asked() -> Int {
          if let answer = delegateRequirements.asked.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.asked() }
          ProxyTies.unanswered("Delegate.asked()")
        }
        #endif
        """,
      defaults: """
        #if DEBUG
        #if os(Linux)
        func told() {}
        #endif
        #endif
        """)
  }

  @Test func outerAndInnerKeysDiffer() {
    expectRequirements(
      """
      func told(_ x: Int)
      #if DEBUG
      func told(_ x: String)
      #endif
      """,
      keys: """
        let told_Int = EventRequirement<Int>()
        #if DEBUG
        let told_String = EventRequirement<String>()
        #endif
        """,
      forwarding: """
        func told(_ x: Int) {
          delegateRequirements.told_Int.listeners?.send(x)
          delegateTarget?.told(x)
        }
        #if DEBUG
        func told(_ x: String) {
          delegateRequirements.told_String.listeners?.send(x)
          delegateTarget?.told(x)
        }
        #endif
        """)
  }

  @Test func membersWithoutKeysLeaveNoCondition() {
    expectRequirements(
      """
      #if DEBUG
      subscript(x: Int) -> Int { get }
      #endif
      """,
      forwarding: """
        #if DEBUG
        subscript(x: Int) -> Int {
          if let target = delegateTarget { return target[x] }
          ProxyTies.unanswered("Delegate.subscript(_:)")
        }
        #endif
        """)
  }
}
