import Testing

@Suite struct AccessExpansionTests {
  @Test(arguments: [
    ("public ", "public "), ("package ", "package "), ("fileprivate ", ""), ("private ", ""),
  ])
  func theProxyHasTheAccessOfItsProtocol(access: String, memberAccess: String) {
    expectExpansion(
      of: """
        /// Told.
        @Proxied \(access)protocol Delegate: AnyObject {
          @Default(1) func asked() -> Int
          var x: Int { get set }
        }
        """,
      """
      /// Told.
      \(access)protocol Delegate: AnyObject {
        func asked() -> Int
        var x: Int { get set }
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      \(access)final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        \(memberAccess)final class Requirements {
          \(memberAccess)let asked = AnswerRequirement<Int, Never>()
          \(memberAccess)let x = AnswerRequirement<Int, Never>()
          \(memberAccess)let x_set = EventRequirement<Int>()
          \(memberAccess)init() {}
        }
        \(memberAccess)let requirements = Requirements()
        \(memberAccess)let ties = ProxyTies()
        @exclusivity(unchecked) \(memberAccess)weak var forwardTo: (any Delegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        \(memberAccess)var delegateRequirements: Requirements { requirements }
        \(memberAccess)var delegateTarget: (any Delegate)? { forwardTo }
        \(memberAccess)init() {}
      }
      /// A proxy that forwards the calls to a `Delegate`.
      \(access)protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {
        \(memberAccess)func asked() -> Int {
          if let answer = delegateRequirements.asked.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.asked() }
          return 1
        }
        \(memberAccess)var x: Int {
          get {
            if let answer = delegateRequirements.x.answerers?.answer(()) { return answer }
            if let target = delegateTarget { return target.x }
            ProxyTies.unanswered("Delegate.x")
          }
          set {
            delegateRequirements.x_set.listeners?.send(newValue)
            delegateTarget?.x = newValue
          }
        }
      }
      extension Delegate {
        \(memberAccess)func asked() -> Int { 1 }
      }
      """)
  }

  @Test func spiAttributeIsCopiedToTheProxy() {
    expectDifference(
      of: "@_spi(Testing) @Proxied public protocol Delegate: AnyObject {}",
      from: "@Proxied public protocol Delegate: AnyObject {}",
      """
        @DecoyConformers
      + @_spi(Testing)
        /// A proxy that forwards the calls to a `Delegate`.
      + @_spi(Testing)
      """)
  }

  @Test func membersHaveNoMoreAccessThanTheOwner() {
    expectDifference(
      of: """
        package enum Outer {
          @Proxied public protocol Delegate: AnyObject {
            func told()
          }
        }
        """,
      from: """
        public enum Outer {
          @Proxied public protocol Delegate: AnyObject {
            func told()
          }
        }
        """,
      """
          public final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      -     public final class Requirements {
      -       public let told = EventRequirement< >()
      -       public init() {}
      +     package final class Requirements {
      +       package let told = EventRequirement< >()
      +       package init() {}
            }
      -     public let requirements = Requirements()
      -     public let ties = ProxyTies()
      -     @exclusivity(unchecked) public weak var forwardTo: (any Delegate)? {
      +     package let requirements = Requirements()
      +     package let ties = ProxyTies()
      +     @exclusivity(unchecked) package weak var forwardTo: (any Delegate)? {
            }
      -     public var delegateRequirements: Requirements { requirements }
      -     public var delegateTarget: (any Delegate)? { forwardTo }
      -     public init() {}
      +     package var delegateRequirements: Requirements { requirements }
      +     package var delegateTarget: (any Delegate)? { forwardTo }
      +     package init() {}
        extension Outer.Delegate where Self: Outer.DelegateForwarding {
      -   public func told() {
      +   package func told() {
      """)
  }
}
