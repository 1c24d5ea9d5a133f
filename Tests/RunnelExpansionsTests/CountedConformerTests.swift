import Testing

@testable import RunnelExpansions

@Suite struct CountedConformerTests {
  private func expectCounted(
    beside proxy: String, _ expected: String,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let expanded = Expanding(
      "@CountedConformer \(proxy)", macros: ["CountedConformer": CountedConformerMacro.self])
    #expect(
      expanded.text == "\(proxy)\n\(expected)".withoutEmptyLines, sourceLocation: location)
    #expect(expanded.report == "", sourceLocation: location)
  }

  @Test func aProxyGetsAnotherConformer() {
    expectCounted(
      beside: "final class URLDelegateProxy: ProtocolProxy, URLDelegateForwarding {}",
      """
      extension URLDelegateProxy {
        private final class Counted: URLDelegateForwarding {
          var urlDelegateRequirements: URLDelegateProxy.Requirements { fatalError() }
          var urlDelegateTarget: (any URLDelegate)? { nil }
        }
      }
      """)
  }

  @Test func aGenericOneWithOperators() {
    expectCounted(
      beside: """
        public final class PickerProxy<Item: Hashable, Other>: ProtocolProxy {
          public static func += (lhs: PickerProxy<Item, Other>, rhs: Item) {}
        }
        """,
      """
      extension PickerProxy {
        private final class Counted: PickerForwarding {
          var pickerRequirements: PickerProxy<Item, Other>.Requirements { fatalError() }
          var pickerTarget: (any Picker<Item, Other>)? { nil }
          public static func += (lhs: Counted, rhs: Item) {}
        }
      }
      """)
  }

  @Test func aRawIdentifierOutsideOfTheMainActor() {
    expectCounted(
      beside: "nonisolated final class `my delegateProxy`: ProtocolProxy {}",
      """
      extension `my delegateProxy` {
        nonisolated private final class Counted: `my delegateForwarding` {
          var my_delegateRequirements: `my delegateProxy`.Requirements { fatalError() }
          var my_delegateTarget: (any `my delegate`)? { nil }
        }
      }
      """)
  }

  @Test func whatIsNoClassHasNone() {
    expectCounted(beside: "struct DelegateProxy {}", "")
  }

  @Test func aNestedOneNamesItsOwner() {
    let expanded = Expanding(
      """
      enum Outer {
        @CountedConformer final class DelegateProxy {}
      }
      """, macros: ["CountedConformer": CountedConformerMacro.self])
    #expect(
      expanded.text == """
        enum Outer {
          final class DelegateProxy {}
        }
        extension Outer.DelegateProxy {
          private final class Counted: Outer.DelegateForwarding {
            var delegateRequirements: Outer.DelegateProxy.Requirements { fatalError() }
            var delegateTarget: (any Outer.Delegate)? { nil }
          }
        }
        """)
  }
}
