import Testing

@Suite struct KeyExpansionTests {
  @Test func labelsDistinguishKeys() {
    expectRequirements(
      """
      func plain()
      func plain(_ a: Int)
      func plain(b: Int)
      """,
      keys: """
        let plain = EventRequirement< >()
        let plain_Int = EventRequirement<Int>()
        let plain_b = EventRequirement<Int>()
        """,
      forwarding: """
        func plain() {
          delegateRequirements.plain.listeners?.send(())
          delegateTarget?.plain()
        }
        func plain(_ a: Int) {
          delegateRequirements.plain_Int.listeners?.send(a)
          delegateTarget?.plain(a)
        }
        func plain(b: Int) {
          delegateRequirements.plain_b.listeners?.send(b)
          delegateTarget?.plain(b: b)
        }
        """)
  }

  @Test func typesDistinguishKeysWithEqualLabels() {
    expectRequirements(
      """
      func over(_ a: Int)
      func over(_ a: [Int: String]) -> String
      """,
      keys: """
        let over_Int = EventRequirement<Int>()
        let over_Int_String_String = AnswerRequirement<String, Never, [Int: String]>()
        """,
      forwarding: """
        func over(_ a: Int) {
          delegateRequirements.over_Int.listeners?.send(a)
          delegateTarget?.over(a) as Void?
        }
        func over(_ a: [Int: String]) -> String {
          if let answer = delegateRequirements.over_Int_String_String.answerers?.answer(a) {
            return answer
          }
          if let target = delegateTarget { return target.over(a) }
          ProxyTies.unanswered("Delegate.over(_:)")
        }
        """)
  }

  @Test func numbersDistinguishKeysWithEqualTypes() {
    expectRequirements(
      """
      func over(_ a: Int)
      func over(_ a: Int?)
      func over(_ a: [Int])
      """,
      keys: """
        let over_Int = EventRequirement<Int>()
        let over_Int_2 = EventRequirement<Int?>()
        let over_Int_3 = EventRequirement<[Int]>()
        """,
      forwarding: """
        func over(_ a: Int) {
          delegateRequirements.over_Int.listeners?.send(a)
          delegateTarget?.over(a)
        }
        func over(_ a: Int?) {
          delegateRequirements.over_Int_2.listeners?.send(a)
          delegateTarget?.over(a)
        }
        func over(_ a: [Int]) {
          delegateRequirements.over_Int_3.listeners?.send(a)
          delegateTarget?.over(a)
        }
        """)
  }

  @Test func resultsDistinguishKeys() {
    expectRequirements(
      """
      func over() -> Int
      func over() -> String
      func over()
      """,
      keys: """
        let over_Int = AnswerRequirement<Int, Never>()
        let over_String = AnswerRequirement<String, Never>()
        let over = EventRequirement< >()
        """,
      forwarding: """
        func over() -> Int {
          if let answer = delegateRequirements.over_Int.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.over() }
          ProxyTies.unanswered("Delegate.over()")
        }
        func over() -> String {
          if let answer = delegateRequirements.over_String.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.over() }
          ProxyTies.unanswered("Delegate.over()")
        }
        func over() {
          delegateRequirements.over.listeners?.send(())
          delegateTarget?.over() as Void?
        }
        """)
  }

  @Test func theKeyOfASetterIsReserved() {
    expectRequirements(
      """
      func count_set(_ x: Int)
      var count: Int { get set }
      """,
      keys: """
        let count_set_Int = EventRequirement<Int>()
        let count_Int = AnswerRequirement<Int, Never>()
        let count_Int_set = EventRequirement<Int>()
        """,
      forwarding: """
        func count_set(_ x: Int) {
          delegateRequirements.count_set_Int.listeners?.send(x)
          delegateTarget?.count_set(x)
        }
        var count: Int {
          get {
            if let answer = delegateRequirements.count_Int.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.count }
            ProxyTies.unanswered("Delegate.count")
          }
          set {
            delegateRequirements.count_Int_set.listeners?.send(newValue)
            delegateTarget?.count = newValue
          }
        }
        """)
  }

  @Test func anUnderscoreMayCollideWithALabel() {
    expectRequirements(
      """
      func a_b(_ x: Int)
      func a(_ x: Int, b: Int)
      """,
      keys: """
        let a_b_Int = EventRequirement<Int>()
        let a_b_Int_Int = EventRequirement<Int, Int>()
        """,
      forwarding: """
        func a_b(_ x: Int) {
          delegateRequirements.a_b_Int.listeners?.send(x)
          delegateTarget?.a_b(x)
        }
        func a(_ x: Int, b: Int) {
          delegateRequirements.a_b_Int_Int.listeners?.send((x, b))
          delegateTarget?.a(x, b: b)
        }
        """)
  }

  @Test func reservedKeyPathNamesAreAvoided() {
    expectRequirements(
      """
      func `self`()
      func `init`(_ x: Int) -> Int
      func Type()
      """,
      keys: """
        let self_2 = EventRequirement< >()
        let init_Int_Int = AnswerRequirement<Int, Never, Int>()
        let Type_2 = EventRequirement< >()
        """,
      forwarding: """
        func `self`() {
          delegateRequirements.self_2.listeners?.send(())
          delegateTarget?.`self`()
        }
        func `init`(_ x: Int) -> Int {
          if let answer = delegateRequirements.init_Int_Int.answerers?.answer(x) { return answer }
          if let target = delegateTarget { return target.`init`(x) }
          ProxyTies.unanswered("Delegate.`init`(_:)")
        }
        func Type() {
          delegateRequirements.Type_2.listeners?.send(())
          delegateTarget?.Type()
        }
        """)
  }

  @Test func genericMethodsReserveNoKey() {
    expectRequirements(
      """
      func told<T>(_ x: T)
      func told(_ x: Int)
      """,
      keys: "let told = EventRequirement<Int>()",
      forwarding: """
        func told<T>(_ x: T) { delegateTarget?.told(x) }
        func told(_ x: Int) {
          delegateRequirements.told.listeners?.send(x)
          delegateTarget?.told(x)
        }
        """)
  }
}
