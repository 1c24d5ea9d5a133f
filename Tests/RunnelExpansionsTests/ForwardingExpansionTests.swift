import Testing

@Suite struct ForwardingExpansionTests {
  @Test func genericMethodsAreForwarded() {
    expectRequirements(
      """
      func same<T: Equatable>(_ value: T, _ other: T) -> Bool
      func told<T>(_ value: T) where T: Sequence, T.Element == Int
      """,
      forwarding: """
        func same<T: Equatable>(_ value: T, _ other: T) -> Bool {
          if let target = delegateTarget { return target.same(value, other) }
          ProxyTies.unanswered("Delegate.same(_:_:)")
        }
        func told<T>(_ value: T) where T: Sequence, T.Element == Int {
          delegateTarget?.told(value)
        }
        """)
  }

  @Test func opaqueParametersAreForwarded() {
    expectRequirements(
      "func told(_ value: some Equatable, _ others: [some Equatable])",
      forwarding: """
        func told(_ value: some Equatable, _ others: [some Equatable]) {
          delegateTarget?.told(value, others)
        }
        """)
  }

  @Test func parameterPacksAreForwarded() {
    expectRequirements(
      "func told<each T>(_ value: repeat each T)",
      forwarding: """
        func told<each T>(_ value: repeat each T) { delegateTarget?.told(repeat each value) }
        """)
  }

  @Test func genericVariadicArgumentsAreForwarded() {
    expectRequirements(
      "func log<T>(_ items: T...)",
      forwarding: """
        func log<T>(_ items: T...) {
          if let target = delegateTarget {
            let method = target.log(_:) as (T...) -> Void
            // Safety: variadic arguments are passed as an array.
            let call = unsafeBitCast(method, to: (([T]) -> Void).self)
            call(items)
          }
        }
        """)
  }

  @Test func genericMethodsMayHaveDefaults() {
    expectRequirements(
      """
      @Default(true) func same<T: Equatable>(_ value: T, _ other: T) -> Bool
      """,
      forwarding: """
        func same<T: Equatable>(_ value: T, _ other: T) -> Bool {
          if let target = delegateTarget { return target.same(value, other) }
          return true
        }
        """,
      defaults: "func same<T: Equatable>(_ value: T, _ other: T) -> Bool { true }")
  }

  @Test func subscriptsAreForwarded() {
    expectRequirements(
      """
      subscript(row: Int) -> String { get }
      subscript(key key: String) -> String { get set }
      """,
      forwarding: """
        subscript(row: Int) -> String {
          if let target = delegateTarget { return target[row] }
          ProxyTies.unanswered("Delegate.subscript(_:)")
        }
        subscript(key key: String) -> String {
          get {
            if let target = delegateTarget { return target[key: key] }
            ProxyTies.unanswered("Delegate.subscript(key:)")
          }
          set { delegateTarget?[key: key] = newValue }
        }
        """)
  }

  @Test func subscriptsMayHaveEffectsAndGenerics() {
    expectRequirements(
      """
      subscript(_ row: Int) -> String { get async throws(Bad) }
      subscript<Key: Hashable>(key: Key) -> Int { get set }
      """,
      forwarding: """
        subscript(_ row: Int) -> String {
          get async throws(Bad) {
            if let target = delegateTarget { return try await target[row] }
            ProxyTies.unanswered("Delegate.subscript(_:)")
          }
        }
        subscript<Key: Hashable>(key: Key) -> Int {
          get {
            if let target = delegateTarget { return target[key] }
            ProxyTies.unanswered("Delegate.subscript(_:)")
          }
          set { delegateTarget?[key] = newValue }
        }
        """)
  }

  @Test func subscriptsMayHaveDefaults() {
    expectRequirements(
      """
      @Default("") subscript(row: Int) -> String { get set }
      """,
      forwarding: """
        subscript(row: Int) -> String {
          get {
            if let target = delegateTarget { return target[row] }
            return ""
          }
          set { delegateTarget?[row] = newValue }
        }
        """,
      defaults: """
        subscript(row: Int) -> String {
          get { "" }
          set {}
        }
        """)
  }

  @Test func subscriptParametersAreRenamed() {
    expectRequirements(
      """
      subscript(target: Int, _: Int) -> Int { get }
      subscript(newValue newValue: Int) -> Int { get set }
      """,
      forwarding: """
        subscript(_ argument0: Int, _ argument1: Int) -> Int {
          if let target = delegateTarget { return target[argument0, argument1] }
          ProxyTies.unanswered("Delegate.subscript(_:_:)")
        }
        subscript(newValue argument0: Int) -> Int {
          get {
            if let target = delegateTarget { return target[newValue: argument0] }
            ProxyTies.unanswered("Delegate.subscript(newValue:)")
          }
          set { delegateTarget?[newValue: argument0] = newValue }
        }
        """)
  }
}
