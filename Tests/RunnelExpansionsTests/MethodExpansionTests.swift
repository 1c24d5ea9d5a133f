import Testing

@Suite struct MethodExpansionTests {
  @Test func anEventReachesStreamsThenTheTarget() {
    expectRequirements(
      "func told(_ x: Int, by name: String)",
      keys: "let told_by = EventRequirement<Int, String>()",
      forwarding: """
        func told(_ x: Int, by name: String) {
          delegateRequirements.told_by.listeners?.send((x, name))
          delegateTarget?.told(x, by: name)
        }
        """)
  }

  @Test func anEventWithoutArgumentsSendsVoid() {
    expectRequirements(
      "func told()",
      keys: "let told = EventRequirement< >()",
      forwarding: """
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
        """)
  }

  @Test func anAnswerComesFromHandlersThenTheTarget() {
    expectRequirements(
      "func asked(_ x: Int) -> Bool",
      keys: "let asked = AnswerRequirement<Bool, Never, Int>()",
      forwarding: """
        func asked(_ x: Int) -> Bool {
          if let answer = delegateRequirements.asked.answerers?.answer(x) { return answer }
          if let target = delegateTarget { return target.asked(x) }
          ProxyTies.unanswered("Delegate.asked(_:)")
        }
        """)
  }

  @Test func aDefaultAppliesToProxyAndConformers() {
    expectRequirements(
      "@Default(true) func asked(_ x: Int) -> Bool",
      keys: "let asked = AnswerRequirement<Bool, Never, Int>()",
      forwarding: """
        func asked(_ x: Int) -> Bool {
          if let answer = delegateRequirements.asked.answerers?.answer(x) { return answer }
          if let target = delegateTarget { return target.asked(x) }
          return true
        }
        """,
      defaults: "func asked(_ x: Int) -> Bool { true }")
  }

  @Test func aDefaultWithoutAResultDoesNothing() {
    expectRequirements(
      "@Default func told(_ x: Int)",
      keys: "let told = EventRequirement<Int>()",
      forwarding: """
        func told(_ x: Int) {
          delegateRequirements.told.listeners?.send(x)
          delegateTarget?.told(x)
        }
        """,
      defaults: "func told(_ x: Int) {}")
  }

  @Test func voidCountsAsNoResult() {
    expectRequirements(
      """
      func told() -> Void
      func toldToo() -> ()
      """,
      keys: """
        let told = EventRequirement< >()
        let toldToo = EventRequirement< >()
        """,
      forwarding: """
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
        func toldToo() {
          delegateRequirements.toldToo.listeners?.send(())
          delegateTarget?.toldToo()
        }
        """)
  }

  @Test func documentationIsCopiedToTheKey() {
    expectRequirements(
      """
      /// Told.
      ///
      /// - Parameter x: What.
      func told(_ x: Int)
      /** Asked. */
      func asked() -> Int
      """,
      keys: """
        /// Told.
        ///
        /// - Parameter x: What.
        let told = EventRequirement<Int>()
        /** Asked. */
        let asked = AnswerRequirement<Int, Never>()
        """,
      forwarding: """
        func told(_ x: Int) {
          delegateRequirements.told.listeners?.send(x)
          delegateTarget?.told(x)
        }
        func asked() -> Int {
          if let answer = delegateRequirements.asked.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.asked() }
          ProxyTies.unanswered("Delegate.asked()")
        }
        """)
  }

  @Test func attributesAreCopiedToTheProxy() {
    expectRequirements(
      """
      @available(*, deprecated, message: "old") func old()
      @discardableResult @MainActor func perform() -> Bool
      """,
      keys: """
        let old = EventRequirement< >()
        let perform = AnswerRequirement<Bool, Never>()
        """,
      forwarding: """
        @available(*, deprecated, message: "old") func old() {
          delegateRequirements.old.listeners?.send(())
          delegateTarget?.old()
        }
        @discardableResult @MainActor func perform() -> Bool {
          if let answer = delegateRequirements.perform.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.perform() }
          ProxyTies.unanswered("Delegate.perform()")
        }
        """)
  }

  @Test func commentsInsideADeclarationAreIgnored() {
    expectRequirements(
      """
      func told(
        _ x: Int, // the first
        /* and */ by name: String /* his */
      ) // done
      """,
      keys: "let told_by = EventRequirement<Int, String>()",
      forwarding: """
        func told(_ x: Int, by name: String) {
          delegateRequirements.told_by.listeners?.send((x, name))
          delegateTarget?.told(x, by: name)
        }
        """)
  }

  @Test func severalMethodsOnALineAreSeparated() {
    expectRequirements(
      "func a(); func b() -> Int",
      keys: """
        let a = EventRequirement< >()
        let b = AnswerRequirement<Int, Never>()
        """,
      forwarding: """
        func a() {
          delegateRequirements.a.listeners?.send(())
          delegateTarget?.a()
        }
        func b() -> Int {
          if let answer = delegateRequirements.b.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.b() }
          ProxyTies.unanswered("Delegate.b()")
        }
        """)
  }

  @Test func implicitlyUnwrappedTypesBecomeOptional() {
    expectRequirements(
      "func told(_ x: Int!) -> String!",
      keys: "let told = AnswerRequirement<String?, Never, Int?>()",
      forwarding: """
        func told(_ x: Int!) -> String! {
          if let answer = delegateRequirements.told.answerers?.answer(x) { return answer }
          if let target = delegateTarget { return target.told(x) }
          ProxyTies.unanswered("Delegate.told(_:)")
        }
        """)
  }

  @Test func existentialTypesAreForwarded() {
    expectRequirements(
      """
      func failed(_ error: any Error, with item: (any Collection<Int>)?) -> any Error
      """,
      keys: """
        let failed_with = AnswerRequirement<any Error, Never, any Error, (any Collection<Int>)?>()
        """,
      forwarding: """
        func failed(_ error: any Error, with item: (any Collection<Int>)?) -> any Error {
          if let answer = delegateRequirements.failed_with.answerers?.answer((error, item)) {
            return answer
          }
          if let target = delegateTarget { return target.failed(error, with: item) }
          ProxyTies.unanswered("Delegate.failed(_:with:)")
        }
        """)
  }

  @Test func resultsMayBeTuplesOrFunctions() {
    expectRequirements(
      """
      func pair() -> (Int, String)
      func action() -> () -> Void
      """,
      keys: """
        let pair = AnswerRequirement<(Int, String), Never>()
        let action = AnswerRequirement<() -> Void, Never>()
        """,
      forwarding: """
        func pair() -> (Int, String) {
          if let answer = delegateRequirements.pair.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.pair() }
          ProxyTies.unanswered("Delegate.pair()")
        }
        func action() -> () -> Void {
          if let answer = delegateRequirements.action.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.action() }
          ProxyTies.unanswered("Delegate.action()")
        }
        """)
  }
}
