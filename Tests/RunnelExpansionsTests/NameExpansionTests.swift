import Testing

@Suite struct NameExpansionTests {
  @Test func keywordsAreEscaped() {
    expectRequirements(
      """
      func `default`(_ in: Int, `class`: Int)
      func move(in: Int, `inout`: Int, for text: String)
      """,
      keys: """
        let default_class = EventRequirement<Int, Int>()
        let move_in_inout_for = EventRequirement<Int, Int, String>()
        """,
      forwarding: """
        func `default`(_ in: Int, `class`: Int) {
          delegateRequirements.default_class.listeners?.send((`in`, `class`))
          delegateTarget?.`default`(`in`, class: `class`)
        }
        func move(in: Int, `inout`: Int, for text: String) {
          delegateRequirements.move_in_inout_for.listeners?.send((`in`, `inout`, text))
          delegateTarget?.move(in: `in`, `inout`: `inout`, for: text)
        }
        """)
  }

  @Test func rawIdentifiersAreEscaped() {
    expectRequirements(
      "func `went wrong`(`my label` x: Int)",
      keys: "let `went wrong_my label` = EventRequirement<Int>()",
      forwarding: """
        func `went wrong`(`my label` x: Int) {
          delegateRequirements.`went wrong_my label`.listeners?.send(x)
          delegateTarget?.`went wrong`(`my label`: x)
        }
        """)
  }

  @Test func namesMayUseAnyScript() {
    expectRequirements(
      """
      func größe(_ übel: Int)
      func 😀(日本 x: Int)
      """,
      keys: """
        let größe = EventRequirement<Int>()
        let 😀_日本 = EventRequirement<Int>()
        """,
      forwarding: """
        func größe(_ übel: Int) {
          delegateRequirements.größe.listeners?.send(übel)
          delegateTarget?.größe(übel)
        }
        func 😀(日本 x: Int) {
          delegateRequirements.😀_日本.listeners?.send(x)
          delegateTarget?.😀(日本: x)
        }
        """)
  }

  @Test func parametersWithoutNamesAreNumbered() {
    expectRequirements(
      "func told(_: Int, by _: String)",
      keys: "let told_by = EventRequirement<Int, String>()",
      forwarding: """
        func told(_ argument0: Int, by argument1: String) {
          delegateRequirements.told_by.listeners?.send((argument0, argument1))
          delegateTarget?.told(argument0, by: argument1)
        }
        """)
  }

  @Test func conflictingParametersAreRenamed() {
    expectRequirements(
      """
      func a(answer: Int, _ target: inout Int, InoutArgument x: Int) -> Int
      func b(delegateTarget: Int, _ delegateRequirements: Int, _ InoutArgument: Int, self: Int)
      """,
      keys: """
        let a_answer_InoutArgument = AnswerRequirement<Int, Never, Int, InoutArgument<Int>, Int>()
        let b_delegateTarget_self = EventRequirement<Int, Int, Int, Int>()
        """,
      forwarding: """
        func a(answer argument0: Int, _ argument1: inout Int, InoutArgument x: Int) -> Int {
          let argument1Argument = InoutArgument(argument1)
          let answer = delegateRequirements.a_answer_InoutArgument.answerers?.answer((argument0, argument1Argument, x))
          argument1 = argument1Argument.value
          if let answer { return answer }
          if let target = delegateTarget {
            return target.a(answer: argument0, &argument1, InoutArgument: x)
          }
          ProxyTies.unanswered("Delegate.a(answer:_:InoutArgument:)")
        }
        func b(delegateTarget argument0: Int, _ argument1: Int, _ argument2: Int, self argument3: Int) {
          delegateRequirements.b_delegateTarget_self.listeners?.send((argument0, argument1, argument2, argument3))
          delegateTarget?.b(delegateTarget: argument0, argument1, argument2, self: argument3)
        }
        """)
  }

  @Test func propertyNamesAreEscaped() {
    expectRequirements(
      """
      var `class`: Int { get set }
      var `a b`: Int { get set }
      """,
      keys: """
        let `class` = AnswerRequirement<Int, Never>()
        let class_set = EventRequirement<Int>()
        let `a b` = AnswerRequirement<Int, Never>()
        let `a b_set` = EventRequirement<Int>()
        """,
      forwarding: """
        var `class`: Int {
          get {
            if let answer = delegateRequirements.`class`.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.`class` }
            ProxyTies.unanswered("Delegate.`class`")
          }
          set {
            delegateRequirements.class_set.listeners?.send(newValue)
            delegateTarget?.`class` = newValue
          }
        }
        var `a b`: Int {
          get {
            if let answer = delegateRequirements.`a b`.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.`a b` }
            ProxyTies.unanswered("Delegate.`a b`")
          }
          set {
            delegateRequirements.`a b_set`.listeners?.send(newValue)
            delegateTarget?.`a b` = newValue
          }
        }
        """)
  }

  @Test func aPropertyMayBeNamedLikeALocal() {
    expectRequirements(
      """
      var target: Int { get }
      var answer: Int { get }
      var newValue: Int { get set }
      var Requirements: Int { get }
      """,
      keys: """
        let target = AnswerRequirement<Int, Never>()
        let answer = AnswerRequirement<Int, Never>()
        let newValue = AnswerRequirement<Int, Never>()
        let newValue_set = EventRequirement<Int>()
        let Requirements = AnswerRequirement<Int, Never>()
        """,
      forwarding: """
        var target: Int {
          if let answer = delegateRequirements.target.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.target }
          ProxyTies.unanswered("Delegate.target")
        }
        var answer: Int {
          if let answer = delegateRequirements.answer.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.answer }
          ProxyTies.unanswered("Delegate.answer")
        }
        var newValue: Int {
          get {
            if let answer = delegateRequirements.newValue.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.newValue }
            ProxyTies.unanswered("Delegate.newValue")
          }
          set {
            delegateRequirements.newValue_set.listeners?.send(newValue)
            delegateTarget?.newValue = newValue
          }
        }
        var Requirements: Int {
          if let answer = delegateRequirements.Requirements.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.Requirements }
          ProxyTies.unanswered("Delegate.Requirements")
        }
        """)
  }
}
