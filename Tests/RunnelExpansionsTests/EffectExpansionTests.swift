import Testing

@Suite struct EffectExpansionTests {
  @Test func anAsyncEventReachesStreamsFirst() {
    expectRequirements(
      "func told(_ x: Int) async",
      keys: "let told = EventRequirement<Int>()",
      forwarding: """
        func told(_ x: Int) async {
          delegateRequirements.told.listeners?.send(x)
          await delegateTarget?.told(x)
        }
        """)
  }

  @Test func anAsyncAnswerIsAwaited() {
    expectRequirements(
      "func load(_ id: Int) async -> String",
      keys: "let load = AsyncAnswerRequirement<String, Never, Int>()",
      forwarding: """
        func load(_ id: Int) async -> String {
          if let answer = await delegateRequirements.load.answer(id) { return answer }
          if let target = delegateTarget { return await target.load(id) }
          ProxyTies.unanswered("Delegate.load(_:)")
        }
        """)
  }

  @Test func anEventMayThrowInTheTarget() {
    expectRequirements(
      """
      func told() throws
      func toldTyped() throws(Bad)
      func toldLater() async throws
      """,
      keys: """
        let told = EventRequirement< >()
        let toldTyped = EventRequirement< >()
        let toldLater = EventRequirement< >()
        """,
      forwarding: """
        func told() throws {
          delegateRequirements.told.listeners?.send(())
          try delegateTarget?.told()
        }
        func toldTyped() throws(Bad) {
          delegateRequirements.toldTyped.listeners?.send(())
          try delegateTarget?.toldTyped()
        }
        func toldLater() async throws {
          delegateRequirements.toldLater.listeners?.send(())
          try await delegateTarget?.toldLater()
        }
        """)
  }

  @Test func anAnswerMayThrow() {
    expectRequirements(
      "func parse(_ text: String) throws -> Int",
      keys: "let parse = AnswerRequirement<Int, any Error, String>()",
      forwarding: """
        func parse(_ text: String) throws -> Int {
          if let answer = try delegateRequirements.parse.answerers?.answer(text) { return answer }
          if let target = delegateTarget { return try target.parse(text) }
          ProxyTies.unanswered("Delegate.parse(_:)")
        }
        """)
  }

  @Test func theFailureTypeIsPreserved() {
    expectRequirements(
      """
      func parse(_ text: String) throws(Bad) -> Int
      func load() async throws(Bad) -> Int
      """,
      keys: """
        let parse = AnswerRequirement<Int, Bad, String>()
        let load = AsyncAnswerRequirement<Int, Bad, ()>()
        """,
      forwarding: """
        func parse(_ text: String) throws(Bad) -> Int {
          if let answer = try delegateRequirements.parse.answerers?.answer(text) { return answer }
          if let target = delegateTarget { return try target.parse(text) }
          ProxyTies.unanswered("Delegate.parse(_:)")
        }
        func load() async throws(Bad) -> Int {
          if let answer = try await delegateRequirements.load.answer(()) { return answer }
          if let target = delegateTarget { return try await target.load() }
          ProxyTies.unanswered("Delegate.load()")
        }
        """)
  }

  @Test func throwsNeverDoesNotThrow() {
    expectRequirements(
      "func parse() throws(Never) -> Int",
      keys: "let parse = AnswerRequirement<Int, Never>()",
      forwarding: """
        func parse() -> Int {
          if let answer = delegateRequirements.parse.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.parse() }
          ProxyTies.unanswered("Delegate.parse()")
        }
        """)
  }

  @Test func aRethrowingMethodIsForwarded() {
    expectRequirements(
      "func map(_ body: (Int) throws -> Int) rethrows -> Int",
      forwarding: """
        func map(_ body: (Int) throws -> Int) rethrows -> Int {
          if let target = delegateTarget { return try target.map(body) }
          ProxyTies.unanswered("Delegate.map(_:)")
        }
        """)
  }

  @Test func aDefaultMayBeAsync() {
    expectRequirements(
      "@Default(0) func load() async throws -> Int",
      keys: "let load = AsyncAnswerRequirement<Int, any Error, ()>()",
      forwarding: """
        func load() async throws -> Int {
          if let answer = try await delegateRequirements.load.answer(()) { return answer }
          if let target = delegateTarget { return try await target.load() }
          return 0
        }
        """,
      defaults: "func load() async throws -> Int { 0 }")
  }
}
