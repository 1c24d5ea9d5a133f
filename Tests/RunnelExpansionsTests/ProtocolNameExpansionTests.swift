import Testing

@Suite struct ProtocolNameExpansionTests {
  @Test func aKeywordMayBeTheName() {
    expectExpansion(
      of: """
        @Proxied protocol `class`: AnyObject {
          func told()
        }
        """,
      """
      protocol `class`: AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `class`.
      @DecoyConformers
      final class classProxy: ProtocolProxy, classForwarding {
        final class Requirements {
          let told = EventRequirement< >()
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any `class`)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var classRequirements: Requirements { requirements }
        var classTarget: (any `class`)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `class`.
      protocol classForwarding: `class` {
        var classRequirements: classProxy.Requirements { get }
        var classTarget: (any `class`)? { get }
      }
      extension `class` where Self: classForwarding {
        func told() {
          classRequirements.told.listeners?.send(())
          classTarget?.told()
        }
      }
      """)
  }

  @Test func aRawIdentifierMayBeTheName() {
    expectExpansion(
      of: """
        @Proxied protocol `my delegate`: AnyObject {
          func told()
        }
        """,
      """
      protocol `my delegate`: AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `my delegate`.
      @DecoyConformers
      final class `my delegateProxy`: ProtocolProxy, `my delegateForwarding` {
        final class Requirements {
          let told = EventRequirement< >()
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any `my delegate`)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var my_delegateRequirements: Requirements { requirements }
        var my_delegateTarget: (any `my delegate`)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `my delegate`.
      protocol `my delegateForwarding`: `my delegate` {
        var my_delegateRequirements: `my delegateProxy`.Requirements { get }
        var my_delegateTarget: (any `my delegate`)? { get }
      }
      extension `my delegate` where Self: `my delegateForwarding` {
        func told() {
          my_delegateRequirements.told.listeners?.send(())
          my_delegateTarget?.told()
        }
      }
      """)
  }

  @Test func leadingInitialsAreLowercased() {
    expectExpansion(
      of: "@Proxied protocol URLDelegate: AnyObject {}",
      """
      protocol URLDelegate: AnyObject {}
      /// A proxy that makes streams of the calls to a `URLDelegate`.
      @DecoyConformers
      final class URLDelegateProxy: ProtocolProxy, URLDelegateForwarding {
        final class Requirements {
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any URLDelegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var urlDelegateRequirements: Requirements { requirements }
        var urlDelegateTarget: (any URLDelegate)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `URLDelegate`.
      protocol URLDelegateForwarding: URLDelegate {
        var urlDelegateRequirements: URLDelegateProxy.Requirements { get }
        var urlDelegateTarget: (any URLDelegate)? { get }
      }
      extension URLDelegate where Self: URLDelegateForwarding {}
      """)
  }
}
