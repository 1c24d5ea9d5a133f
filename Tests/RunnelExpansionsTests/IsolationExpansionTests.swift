import Testing

@Suite struct IsolationExpansionTests {
  @Test func aMainActorProtocolGetsAMainActorProxy() {
    expectDifference(
      of: """
        @Proxied @MainActor @available(*, deprecated) protocol Delegate: AnyObject {
          func told()
        }
        """,
      from: """
        @Proxied protocol Delegate: AnyObject {
          func told()
        }
        """,
      """
        @DecoyConformers
      - final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      + @available(*, deprecated)
      + @MainActor
      + final class DelegateProxy: @MainActor ProtocolProxy, DelegateForwarding {
        /// A proxy that forwards the calls to a `Delegate`.
      + @available(*, deprecated)
      + @MainActor
      """)
  }

  @Test func aGlobalActorProtocolGetsAnIsolatedProxy() {
    expectDifference(
      of: "@Proxied @Storage.StorageActor protocol Delegate: AnyObject {}",
      """
        @DecoyConformers
      - final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      + @Storage.StorageActor
      + final class DelegateProxy: @Storage.StorageActor ProtocolProxy, DelegateForwarding {
        /// A proxy that forwards the calls to a `Delegate`.
      + @Storage.StorageActor
      """)
  }

  @Test func anAttributeNamedActorIsAGlobalActor() {
    expectDifference(
      of: """
        @Proxied @Mocked @StorageActor @Logged("x") protocol Delegate: AnyObject {}
        """,
      """
        @DecoyConformers
      - final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      + @StorageActor
      + final class DelegateProxy: @StorageActor ProtocolProxy, DelegateForwarding {
        /// A proxy that forwards the calls to a `Delegate`.
      + @StorageActor
      """)
  }

  @Test func aSendableProxyChecksItsContext() {
    expectDifference(
      of: """
        @Proxied protocol Delegate: AnyObject & Sendable {
          func told()
        }
        """,
      from: """
        @Proxied protocol Delegate: AnyObject {
          func told()
        }
        """,
      """
        /// A proxy that makes streams of the calls to a `Delegate`.
      + // Safety: its contents are only used on the context that created it.
        @DecoyConformers
      - final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      + final class DelegateProxy: ProtocolProxy, DelegateForwarding, @unchecked Sendable {
          }
      -   var delegateRequirements: Requirements { requirements }
      -   var delegateTarget: (any Delegate)? { forwardTo }
      +   var delegateRequirements: Requirements {
      +     ties.requireHome(of: self)
      +     return requirements
      +   }
      +   var delegateTarget: (any Delegate)? {
      +     ties.requireHome(of: self)
      +     return forwardTo
      +   }
      """)
  }

  @Test func anActorIsolatedSendableProxyNeedsNoCheck() {
    expectDifference(
      of: "@Proxied @MainActor protocol Delegate: AnyObject, Sendable {}",
      from: "@Proxied @MainActor protocol Delegate: AnyObject {}",
      "")
  }

  @Test func aNonisolatedProtocolGetsANonisolatedProxy() {
    expectDifference(
      of: """
        @Proxied nonisolated protocol Delegate: AnyObject {
          @Default func told()
        }
        """,
      from: """
        @Proxied protocol Delegate: AnyObject {
          @Default func told()
        }
        """,
      """
        @DecoyConformers
      - final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      + nonisolated final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        /// A proxy that forwards the calls to a `Delegate`.
      - protocol DelegateForwarding: Delegate {
      + nonisolated protocol DelegateForwarding: Delegate {
        }
      - extension Delegate where Self: DelegateForwarding {
      + nonisolated extension Delegate where Self: DelegateForwarding {
        }
      - extension Delegate {
      + nonisolated extension Delegate {
      """)
  }
}
