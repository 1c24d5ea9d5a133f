import Testing

@Suite struct ClosureExpansionTests {
  @Test func aNonescapingClosureRunsWithinTheCall() {
    expectRequirements(
      "func with(_ body: () -> Void)",
      keys: "let with = AnswerRequirement<Void, Never, () -> Void>()",
      forwarding: """
        func with(_ body: () -> Void) {
          _ = withoutActuallyEscaping(body) { body in
            delegateRequirements.with.answerers?.answer(body)
          }
          delegateTarget?.with(body)
        }
        """)
  }

  @Test func severalNonescapingClosuresAreWrapped() {
    expectRequirements(
      "func with(_ a: (Int) -> Int, _ b: () throws -> Void) -> Int",
      keys: """
        let with = AnswerRequirement<Int, Never, (Int) -> Int, () throws -> Void>()
        """,
      forwarding: """
        func with(_ a: (Int) -> Int, _ b: () throws -> Void) -> Int {
          let answer = withoutActuallyEscaping(a) { a in
            withoutActuallyEscaping(b) { b in
              delegateRequirements.with.answerers?.answer((a, b))
            }
          }
          if let answer { return answer }
          if let target = delegateTarget { return target.with(a, b) }
          ProxyTies.unanswered("Delegate.with(_:_:)")
        }
        """)
  }

  @Test func aClosureInAThrowingQuestionRethrows() {
    expectRequirements(
      "func with(_ body: () -> Void) throws(Bad) -> Int",
      keys: "let with = AnswerRequirement<Int, Bad, () -> Void>()",
      forwarding: """
        func with(_ body: () -> Void) throws(Bad) -> Int {
          let answer = try withoutActuallyEscaping(body) { body throws(Bad) in
            try delegateRequirements.with.answerers?.answer(body)
          }
          if let answer { return answer }
          if let target = delegateTarget { return try target.with(body) }
          ProxyTies.unanswered("Delegate.with(_:)")
        }
        """)
  }

  @Test func anEscapingClosureIsAnArgument() {
    expectRequirements(
      """
      func with(_ body: @escaping @Sendable (Int) -> Void, _ done: (() -> Void)?)
      """,
      keys: """
        let with = EventRequirement<@Sendable (Int) -> Void, (() -> Void)?>()
        """,
      forwarding: """
        func with(_ body: @escaping @Sendable (Int) -> Void, _ done: (() -> Void)?) {
          delegateRequirements.with.listeners?.send((body, done))
          delegateTarget?.with(body, done)
        }
        """)
  }

  @Test func aClosureInAnAsyncQuestionIsForwarded() {
    expectRequirements(
      "func with(_ body: () -> Void) async -> Int",
      forwarding: """
        func with(_ body: () -> Void) async -> Int {
          if let target = delegateTarget { return await target.with(body) }
          ProxyTies.unanswered("Delegate.with(_:)")
        }
        """)
  }

  @Test func anAutoclosureIsEvaluatedForTheTarget() {
    expectRequirements(
      """
      func note(_ text: @autoclosure () -> String)
      func keep(_ text: @autoclosure @escaping () -> String)
      """,
      keys: """
        let note = AnswerRequirement<Void, Never, () -> String>()
        let keep = EventRequirement<() -> String>()
        """,
      forwarding: """
        func note(_ text: @autoclosure () -> String) {
          _ = withoutActuallyEscaping(text) { text in
            delegateRequirements.note.answerers?.answer(text)
          }
          delegateTarget?.note(text())
        }
        func keep(_ text: @autoclosure @escaping () -> String) {
          delegateRequirements.keep.listeners?.send(text)
          delegateTarget?.keep(text())
        }
        """)
  }

  @Test func anAutoclosureMayThrowOrBeAsync() {
    expectRequirements(
      """
      func note(_ text: @autoclosure () throws -> String)
      func keep(_ text: @autoclosure @escaping () async throws -> String) async
      """,
      keys: """
        let note = AnswerRequirement<Void, Never, () throws -> String>()
        let keep = EventRequirement<() async throws -> String>()
        """,
      forwarding: """
        func note(_ text: @autoclosure () throws -> String) {
          _ = withoutActuallyEscaping(text) { text in
            delegateRequirements.note.answerers?.answer(text)
          }
          delegateTarget?.note(try text())
        }
        func keep(_ text: @autoclosure @escaping () async throws -> String) async {
          delegateRequirements.keep.listeners?.send(text)
          await delegateTarget?.keep(try await text())
        }
        """)
  }

  @Test func functionPropertiesHaveKeys() {
    expectRequirements(
      """
      var onEvent: ((Int) -> Void)? { get set }
      var action: () -> Void { get }
      """,
      keys: """
        let onEvent = AnswerRequirement<((Int) -> Void)?, Never>()
        let onEvent_set = EventRequirement<((Int) -> Void)?>()
        let action = AnswerRequirement<() -> Void, Never>()
        """,
      forwarding: """
        var onEvent: ((Int) -> Void)? {
          get {
            if let answer = delegateRequirements.onEvent.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.onEvent }
            ProxyTies.unanswered("Delegate.onEvent")
          }
          set {
            delegateRequirements.onEvent_set.listeners?.send(newValue)
            delegateTarget?.onEvent = newValue
          }
        }
        var action: () -> Void {
          if let answer = delegateRequirements.action.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.action }
          ProxyTies.unanswered("Delegate.action")
        }
        """)
  }
}
