import Testing

@Suite struct AccessExpansionTests {
  @Test func publicProtocolGetsAPublicProxy() {
    expectExpansion(
      of: """
        /// Told.
        @Proxied public protocol Delegate: AnyObject {
          @Default(1) func asked() -> Int
          var x: Int { get set }
        }
        """,
      """
      /// Told.
      public protocol Delegate: AnyObject {
        func asked() -> Int
        var x: Int { get set }
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      public final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        public final class Requirements {
          public let asked = AnswerRequirement<Int, Never>()
          public let x = AnswerRequirement<Int, Never>()
          public let x_set = EventRequirement<Int>()
          public init() {}
        }
        public let requirements = Requirements()
        public let ties = ProxyTies()
        @exclusivity(unchecked) public weak var forwardTo: (any Delegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        public var delegateRequirements: Requirements { requirements }
        public var delegateTarget: (any Delegate)? { forwardTo }
        public init() {}
      }
      /// A proxy that forwards the calls to a `Delegate`.
      public protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {
        public func asked() -> Int {
          if let answer = delegateRequirements.asked.answerers?.answer(()) { return answer }
          if let target = delegateTarget { return target.asked() }
          return 1
        }
        public var x: Int {
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
        public func asked() -> Int { 1 }
      }
      """)
  }

  @Test func packageProtocolGetsAPackageProxy() {
    expectExpansion(
      of: """
        @Proxied package protocol Delegate: AnyObject {
          func told()
        }
        """,
      """
      package protocol Delegate: AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      package final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        package final class Requirements {
          package let told = EventRequirement< >()
          package init() {}
        }
        package let requirements = Requirements()
        package let ties = ProxyTies()
        @exclusivity(unchecked) package weak var forwardTo: (any Delegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        package var delegateRequirements: Requirements { requirements }
        package var delegateTarget: (any Delegate)? { forwardTo }
        package init() {}
      }
      /// A proxy that forwards the calls to a `Delegate`.
      package protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {
        package func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
      }
      """)
  }

  @Test func privateProtocolGetsAPrivateProxy() {
    expectExpansion(
      of: """
        @Proxied private protocol Delegate: AnyObject {
          func told()
        }
        """,
      """
      private protocol Delegate: AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      private final class DelegateProxy: ProtocolProxy, DelegateForwarding {
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
      private protocol DelegateForwarding: Delegate {
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

  @Test func spiAttributeIsNotCopied() {
    expectExpansion(
      of: "@_spi(Testing) @Proxied public protocol Delegate: AnyObject {}",
      """
      @_spi(Testing) public protocol Delegate: AnyObject {}
      /// A proxy that makes streams of the calls to a `Delegate`.
      @DecoyConformers
      @_spi(Testing)
      public final class DelegateProxy: ProtocolProxy, DelegateForwarding {
        public final class Requirements {
          public init() {}
        }
        public let requirements = Requirements()
        public let ties = ProxyTies()
        @exclusivity(unchecked) public weak var forwardTo: (any Delegate)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        public var delegateRequirements: Requirements { requirements }
        public var delegateTarget: (any Delegate)? { forwardTo }
        public init() {}
      }
      /// A proxy that forwards the calls to a `Delegate`.
      @_spi(Testing)
      public protocol DelegateForwarding: Delegate {
        var delegateRequirements: DelegateProxy.Requirements { get }
        var delegateTarget: (any Delegate)? { get }
      }
      extension Delegate where Self: DelegateForwarding {}
      """)
  }

  @Test func membersHaveNoMoreAccessThanTheOwner() {
    expectExpansion(
      of: """
        package enum Outer {
          @Proxied public protocol Delegate: AnyObject {
            func told()
          }
        }
        """,
      """
      package enum Outer {
        public protocol Delegate: AnyObject {
          func told()
        }
        /// A proxy that makes streams of the calls to a `Delegate`.
        @DecoyConformers
        public final class DelegateProxy: ProtocolProxy, DelegateForwarding {
          package final class Requirements {
            package let told = EventRequirement< >()
            package init() {}
          }
          package let requirements = Requirements()
          package let ties = ProxyTies()
          @exclusivity(unchecked) package weak var forwardTo: (any Delegate)? {
            didSet { ties.targetWasSet(to: forwardTo, of: self) }
          }
          package var delegateRequirements: Requirements { requirements }
          package var delegateTarget: (any Delegate)? { forwardTo }
          package init() {}
        }
        /// A proxy that forwards the calls to a `Delegate`.
        public protocol DelegateForwarding: Delegate {
          var delegateRequirements: DelegateProxy.Requirements { get }
          var delegateTarget: (any Delegate)? { get }
        }
      }
      extension Outer.Delegate where Self: Outer.DelegateForwarding {
        package func told() {
          delegateRequirements.told.listeners?.send(())
          delegateTarget?.told()
        }
      }
      """)
  }
}
