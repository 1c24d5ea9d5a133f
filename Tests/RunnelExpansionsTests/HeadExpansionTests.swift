import Testing

@Suite struct HeadExpansionTests {
  @Test func expandsAnEmptyProtocol() {
    expectExpansion(
      of: "@Proxied protocol Delegate: AnyObject {}",
      """
      protocol Delegate: AnyObject {}
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        final class Requirements {
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Delegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var delegateRequirements: Requirements { requirements }
        var delegateTarget: (any Delegate)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Delegate`.
      protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {}
      """)
  }

  @Test func expandsANestedProtocol() {
    expectDifference(
      of: """
        enum Outer {
          @Proxied protocol Delegate: AnyObject {
            @Default func told()
          }
        }
        """,
      from: """
        @Proxied protocol Delegate: AnyObject {
          @Default func told()
        }
        """,
      """
          }
      - extension Delegate where Self: DelegateForwarding {
      + }
      + extension Outer.Delegate where Self: Outer.DelegateForwarding {
        }
      - extension Delegate {
      + extension Outer.Delegate {
      """)
  }

  @Test func acceptsAClassBoundByAWhereClause() {
    expectDifference(
      of: "@Proxied protocol Delegate where Self: AnyObject {}",
      "")
  }

  @Test func attributesMayBeQualifiedByTheModule() {
    expectDifference(
      of: """
        @Proxied() protocol Delegate: AnyObject {
          @RunnelProxies.Default(true) func asked() -> Bool
        }
        """,
      from: """
        @Proxied protocol Delegate: AnyObject {
          @Default(true) func asked() -> Bool
        }
        """,
      "")
  }
}
