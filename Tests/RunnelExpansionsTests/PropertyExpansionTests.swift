import Testing

@Suite struct PropertyExpansionTests {
  @Test func aGetterIsAnAnswer() {
    expectRequirements(
      "var title: String { get }",
      keys: "let title = AnswerRequirement<String, Never>()",
      forwarding: """
        var title: String {
          if let answer = delegateRequirements.title.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.title }
          ProxyTies.unanswered("Delegate.title")
        }
        """)
  }

  @Test func aSetterIsAnEvent() {
    expectRequirements(
      """
      /// How many.
      var count: Int { get set }
      """,
      keys: """
        /// How many.
        let count = AnswerRequirement<Int, Never>()
        /// How many.
        let count_set = EventRequirement<Int>()
        """,
      forwarding: """
        var count: Int {
          get {
            if let answer = delegateRequirements.count.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.count }
            ProxyTies.unanswered("Delegate.count")
          }
          set {
            delegateRequirements.count_set.listeners?.send(newValue)
            delegateTarget?.count = newValue
          }
        }
        """)
  }

  @Test func aPropertyMayHaveADefault() {
    expectRequirements(
      "@Default(0) var count: Int { get }",
      keys: "let count = AnswerRequirement<Int, Never>()",
      forwarding: """
        var count: Int {
          if let answer = delegateRequirements.count.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.count }
          return 0
        }
        """,
      defaults: "var count: Int { 0 }")
  }

  @Test func settingADefaultPropertyDoesNothing() {
    expectRequirements(
      "@Default(0) var count: Int { get set }",
      keys: """
        let count = AnswerRequirement<Int, Never>()
        let count_set = EventRequirement<Int>()
        """,
      forwarding: """
        var count: Int {
          get {
            if let answer = delegateRequirements.count.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.count }
            return 0
          }
          set {
            delegateRequirements.count_set.listeners?.send(newValue)
            delegateTarget?.count = newValue
          }
        }
        """,
      defaults: """
        var count: Int {
          get { 0 }
          set {}
        }
        """)
  }

  @Test func aGetterMayThrowOrBeAsync() {
    expectRequirements(
      """
      var a: Int { get throws }
      var b: Int { get async }
      var c: Int { get async throws(Bad) }
      """,
      keys: """
        let a = AnswerRequirement<Int, any Error>()
        let b = AsyncAnswerRequirement<Int, Never, ()>()
        let c = AsyncAnswerRequirement<Int, Bad, ()>()
        """,
      forwarding: """
        var a: Int {
          get throws {
            if let answer = try delegateRequirements.a.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return try target.a }
            ProxyTies.unanswered("Delegate.a")
          }
        }
        var b: Int {
          get async {
            if let answer = await delegateRequirements.b.answer(()) { return answer }
            if let target = delegateTarget { return await target.b }
            ProxyTies.unanswered("Delegate.b")
          }
        }
        var c: Int {
          get async throws(Bad) {
            if let answer = try await delegateRequirements.c.answer(()) { return answer }
            if let target = delegateTarget { return try await target.c }
            ProxyTies.unanswered("Delegate.c")
          }
        }
        """)
  }

  @Test func aPropertyMayBeImplicitlyUnwrapped() {
    expectRequirements(
      "var title: String! { get set }",
      keys: """
        let title = AnswerRequirement<String?, Never>()
        let title_set = EventRequirement<String?>()
        """,
      forwarding: """
        var title: String! {
          get {
            if let answer = delegateRequirements.title.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.title }
            ProxyTies.unanswered("Delegate.title")
          }
          set {
            delegateRequirements.title_set.listeners?.send(newValue)
            delegateTarget?.title = newValue
          }
        }
        """)
  }

  @Test func attributesOfPropertiesAreCopied() {
    expectRequirements(
      "@available(*, deprecated) @MainActor var old: Int { get set }",
      keys: """
        let old = AnswerRequirement<Int, Never>()
        let old_set = EventRequirement<Int>()
        """,
      forwarding: """
        @available(*, deprecated) @MainActor var old: Int {
          get {
            if let answer = delegateRequirements.old.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.old }
            ProxyTies.unanswered("Delegate.old")
          }
          set {
            delegateRequirements.old_set.listeners?.send(newValue)
            delegateTarget?.old = newValue
          }
        }
        """)
  }
}
