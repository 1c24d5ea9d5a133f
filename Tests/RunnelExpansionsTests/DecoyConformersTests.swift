import Testing

@testable import RunnelExpansions

@Suite struct DecoyConformersTests {
  private func expectDecoys(
    beside proxy: String, _ expected: String,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let expanded = Expanding(
      "@DecoyConformers \(proxy)", macros: ["DecoyConformers": DecoyConformersMacro.self])
    #expect(
      expanded.text == "\(proxy)\n\(expected)".withoutEmptyLines, sourceLocation: location)
    #expect(expanded.report == "", sourceLocation: location)
  }

  @Test func aProxyGetsTwoDecoys() {
    expectDecoys(
      beside: "final class URLDelegateProxy: ProtocolProxy, URLDelegateForwarding {}",
      """
      extension URLDelegateProxy {
        private final class FirstDecoy: URLDelegateForwarding {
          var urlDelegateRequirements: URLDelegateProxy.Requirements { fatalError() }
          var urlDelegateTarget: (any URLDelegate)? { nil }
        }
        private final class SecondDecoy: URLDelegateForwarding {
          var urlDelegateRequirements: URLDelegateProxy.Requirements { fatalError() }
          var urlDelegateTarget: (any URLDelegate)? { nil }
        }
      }
      """)
  }

  @Test func decoysOfAGenericProxyHaveItsOperators() {
    expectDecoys(
      beside: """
        public final class PickerProxy<Item: Hashable, Other>: ProtocolProxy {
          public static func += (lhs: PickerProxy<Item, Other>, rhs: Item) {}
        }
        """,
      """
      extension PickerProxy {
        private final class FirstDecoy: PickerForwarding {
          var pickerRequirements: PickerProxy<Item, Other>.Requirements { fatalError() }
          var pickerTarget: (any Picker<Item, Other>)? { nil }
          public static func += (lhs: FirstDecoy, rhs: Item) {}
        }
        private final class SecondDecoy: PickerForwarding {
          var pickerRequirements: PickerProxy<Item, Other>.Requirements { fatalError() }
          var pickerTarget: (any Picker<Item, Other>)? { nil }
          public static func += (lhs: SecondDecoy, rhs: Item) {}
        }
      }
      """)
  }

  @Test func decoysCopyRawNamesAndIsolation() {
    expectDecoys(
      beside: "nonisolated final class `my delegateProxy`: ProtocolProxy {}",
      """
      extension `my delegateProxy` {
        nonisolated private final class FirstDecoy: `my delegateForwarding` {
          var my_delegateRequirements: `my delegateProxy`.Requirements { fatalError() }
          var my_delegateTarget: (any `my delegate`)? { nil }
        }
        nonisolated private final class SecondDecoy: `my delegateForwarding` {
          var my_delegateRequirements: `my delegateProxy`.Requirements { fatalError() }
          var my_delegateTarget: (any `my delegate`)? { nil }
        }
      }
      """)
  }

  @Test func aStructGetsNoDecoys() {
    expectDecoys(beside: "struct DelegateProxy {}", "")
  }

  @Test func decoysOfANestedProxyNameTheOwner() {
    let expanded = Expanding(
      """
      enum Outer {
        @DecoyConformers final class DelegateProxy {}
      }
      """, macros: ["DecoyConformers": DecoyConformersMacro.self])
    #expect(
      expanded.text == """
        enum Outer {
          final class DelegateProxy {}
        }
        extension Outer.DelegateProxy {
          private final class FirstDecoy: Outer.DelegateForwarding {
            var delegateRequirements: Outer.DelegateProxy.Requirements { fatalError() }
            var delegateTarget: (any Outer.Delegate)? { nil }
          }
          private final class SecondDecoy: Outer.DelegateForwarding {
            var delegateRequirements: Outer.DelegateProxy.Requirements { fatalError() }
            var delegateTarget: (any Outer.Delegate)? { nil }
          }
        }
        """)
  }
}
