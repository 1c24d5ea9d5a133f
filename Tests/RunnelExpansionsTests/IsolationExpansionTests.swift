import Testing

@Suite struct IsolationExpansionTests {
  @Test func aMainActorProtocolGetsAMainActorProxy() {
    expectExpansion(
      of: """
        @Proxied @MainActor @available(*, deprecated) protocol Delegate: AnyObject {
          func told()
        }
        """,
      """
      @MainActor @available(*, deprecated) protocol Delegate: AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      @available(*, deprecated)
      @MainActor
      final class DelegateProxy: @MainActor ProtocolProxy, DelegateForwarding {
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
      @available(*, deprecated)
      @MainActor
      protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
      }
      """)
  }

  @Test func aGlobalActorProtocolGetsAnIsolatedProxy() {
    expectExpansion(
      of: "@Proxied @Storage.StorageActor protocol Delegate: AnyObject {}",
      """
      @Storage.StorageActor protocol Delegate: AnyObject {}
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      @Storage.StorageActor
      final class DelegateProxy: @Storage.StorageActor ProtocolProxy, DelegateForwarding {
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
      @Storage.StorageActor
      protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {}
      """)
  }

  @Test func anAttributeNamedActorIsAGlobalActor() {
    expectExpansion(
      of: """
        @Proxied @Mocked @StorageActor @Logged("x") protocol Delegate: AnyObject {}
        """,
      """
      @Mocked @StorageActor @Logged("x") protocol Delegate: AnyObject {}
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      @StorageActor
      final class DelegateProxy: @StorageActor ProtocolProxy, DelegateForwarding {
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
      @StorageActor
      protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {}
      """)
  }

  @Test func aSendableProxyChecksItsContext() {
    expectExpansion(
      of: """
        @Proxied protocol Delegate: AnyObject & Sendable {
          func told()
        }
        """,
      """
      protocol Delegate: AnyObject & Sendable {
        func told()
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      // Safety: its contents are only used on the context that created it.
      @DecoyConformers
      final class DelegateProxy: ProtocolProxy, DelegateForwarding, @unchecked Sendable {
        final class Requirements {
          let told = EventRequirement< >()
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Delegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var delegateRequirements: Requirements {
          ties.requireHome(of: self)
          return requirements
        }
        var delegateTarget: (any Delegate)? {
          ties.requireHome(of: self)
          return forwardTo
        }
        init() {}
      }
      /// A proxy that forwards the calls to a `Delegate`.
      protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
      }
      """)
  }

  @Test func anActorIsolatedSendableProxyNeedsNoCheck() {
    expectExpansion(
      of: "@Proxied @MainActor protocol Delegate: AnyObject, Sendable {}",
      """
      @MainActor protocol Delegate: AnyObject, Sendable {}
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      @MainActor
      final class DelegateProxy: @MainActor ProtocolProxy, DelegateForwarding {
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
      @MainActor
      protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {}
      """)
  }

  @Test func aNonisolatedProtocolGetsANonisolatedProxy() {
    expectExpansion(
      of: """
        @Proxied nonisolated protocol Delegate: AnyObject {
          @Default func told()
        }
        """,
      """
      nonisolated protocol Delegate: AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      nonisolated final class DelegateProxy: ProtocolProxy, DelegateForwarding {
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
      nonisolated protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      nonisolated extension Delegate where Self: DelegateForwarding {
        func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
      }
      nonisolated extension Delegate {
        func told() {}
      }
      """)
  }
}
