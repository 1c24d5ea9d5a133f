import Testing

@Suite struct ParameterExpansionTests {
  @Test func handlersChangeInoutBeforeTheTarget() {
    expectRequirements(
      "func change(_ text: inout String)",
      keys: """
        let change = AnswerRequirement<Void, Never, InoutArgument<String>>()
        """,
      forwarding: """
        func change(_ text: inout String) {
          let textArgument = InoutArgument(text)
          delegateRequirements.change.answerers?.answer(textArgument)
          text = textArgument.value
          delegateTarget?.change(&text)
        }
        """)
  }

  @Test func inoutIsWrittenBackBeforeTheAnswer() {
    expectRequirements(
      "func change(_ text: inout String, by x: Int) -> Bool",
      keys: """
        let change_by = AnswerRequirement<Bool, Never, InoutArgument<String>, Int>()
        """,
      forwarding: """
        func change(_ text: inout String, by x: Int) -> Bool {
          let textArgument = InoutArgument(text)
          let answer = delegateRequirements.change_by.answerers?.answer((textArgument, x))
          text = textArgument.value
          if let answer { return answer }
          if let target = delegateTarget { return target.change(&text, by: x) }
          ProxyTies.unanswered("Delegate.change(_:by:)")
        }
        """)
  }

  @Test func anAsyncInoutIsWrittenBack() {
    expectRequirements(
      "func change(_ text: inout String) async throws -> Bool",
      keys: """
        let change = AsyncAnswerRequirement<Bool, any Error, InoutArgument<String>>()
        """,
      forwarding: """
        func change(_ text: inout String) async throws -> Bool {
          let textArgument = InoutArgument(text)
          let answer = try await delegateRequirements.change.answer(textArgument)
          text = textArgument.value
          if let answer { return answer }
          if let target = delegateTarget { return try await target.change(&text) }
          ProxyTies.unanswered("Delegate.change(_:)")
        }
        """)
  }

  @Test func variadicArgumentsReachStreamsAsAnArray() {
    expectRequirements(
      "func log(_ items: Int...)",
      keys: "let log = EventRequirement<[Int]>()",
      forwarding: """
        func log(_ items: Int...) {
          delegateRequirements.log.listeners?.send(items)
          if let target = delegateTarget {
            let method = target.log(_:) as (Int...) -> Void
            // Safety: variadic arguments are passed as an array.
            let call = unsafeBitCast(method, to: (([Int]) -> Void).self)
            call(items)
          }
        }
        """)
  }

  @Test func variadicArgumentsOfAQuestionAreAnArray() {
    expectRequirements(
      "func log(title: String, items: String...) throws -> Int",
      keys: """
        let log_title_items = AnswerRequirement<Int, any Error, String, [String]>()
        """,
      forwarding: """
        func log(title: String, items: String...) throws -> Int {
          if let answer = try delegateRequirements.log_title_items.answerers?.answer((title, items)) {
            return answer
          }
          if let target = delegateTarget {
            let method = target.log(title:items:) as (String, String...) throws -> Int
            // Safety: variadic arguments are passed as an array.
            let call = unsafeBitCast(method, to: ((String, [String]) throws -> Int).self)
            return try call(title, items)
          }
          ProxyTies.unanswered("Delegate.log(title:items:)")
        }
        """)
  }

  @Test func ownedParametersAreCopied() {
    expectRequirements(
      "func take(_ x: consuming String, _ y: borrowing [Int])",
      keys: "let take = EventRequirement<String, [Int]>()",
      forwarding: """
        func take(_ x: consuming String, _ y: borrowing [Int]) {
          delegateRequirements.take.listeners?.send((copy x, copy y))
          delegateTarget?.take(copy x, copy y)
        }
        """)
  }

  @Test func sendingParametersAreForwarded() {
    expectRequirements(
      """
      func take(_ x: sending Box)
      func make() -> sending Box
      """,
      forwarding: """
        func take(_ x: sending Box) { delegateTarget?.take(x) }
        func make() -> sending Box {
          if let target = delegateTarget { return target.make() }
          ProxyTies.unanswered("Delegate.make()")
        }
        """)
  }

  @Test func anIsolatedParameterIsForwarded() {
    expectRequirements(
      "func told(_ actor: isolated StorageActor, _ x: Int)",
      keys: "let told = EventRequirement<StorageActor, Int>()",
      forwarding: """
        func told(_ actor: isolated StorageActor, _ x: Int) {
          delegateRequirements.told.listeners?.send((actor, x))
          delegateTarget?.told(actor, x)
        }
        """)
  }
}
