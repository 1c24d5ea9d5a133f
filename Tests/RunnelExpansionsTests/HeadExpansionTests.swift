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
    expectExpansion(
      of: """
        enum Outer {
          @Proxied protocol Delegate: AnyObject {
            @Default func told()
          }
        }
        """,
      """
      enum Outer {
        protocol Delegate: AnyObject {
          func told()
        }
        /// A proxy that makes streams of the calls to a `Delegate`.
        @DecoyConformers
        final class DelegateProxy: ProtocolProxy, DelegateForwarding {
          final class Requirements {
            let told = EventRequirement< >()
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
      }
      extension Outer.Delegate where Self: Outer.DelegateForwarding {
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
      }
      extension Outer.Delegate {
        func told() {}
      }
      """)
  }

  @Test func acceptsAClassBoundByAWhereClause() {
    expectExpansion(
      of: "@Proxied protocol Delegate where Self: AnyObject {}",
      """
      protocol Delegate where Self: AnyObject {}
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

  @Test func attributesMayBeQualifiedByTheModule() {
    expectExpansion(
      of: """
        @Proxied() protocol Delegate: AnyObject {
          @RunnelProxies.Default(true) func asked() -> Bool
        }
        """,
      """
      protocol Delegate: AnyObject {
        @RunnelProxies.Default(true) func asked() -> Bool
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        final class Requirements {
          let asked = AnswerRequirement<Bool, Never>()
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
      extension Delegate where Self: DelegateForwarding {
        func asked() -> Bool {
          if let answer = delegateRequirements.asked.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.asked() }
          return true
        }
      }
      extension Delegate {
        func asked() -> Bool { true }
      }
      """)
  }
}
