import Testing

@Suite struct RefinementExpansionTests {
  @Test func refinesOneProtocol() {
    expectExpansion(
      of: """
        @Proxied(refining: Parent.self) protocol Child: Parent {
          func told()
        }
        """,
      """
      protocol Child: Parent {
        func told()
      }
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      final class ChildProxy: ProtocolProxy, ChildForwarding {
        @dynamicMemberLookup final class Requirements {
          let parent = ParentProxy.Requirements()
          let told = EventRequirement< >()
          subscript<Requirement>(dynamicMember key: KeyPath<ParentProxy.Requirements, Requirement>) -> Requirement {
            parent[keyPath: key]
          }
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Child)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var childRequirements: Requirements { requirements }
        var childTarget: (any Child)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      protocol ChildForwarding: Child, ParentForwarding {
        var childRequirements: ChildProxy.Requirements { get }
        var childTarget: (any Child)? { get }
      }
      extension Child where Self: ChildForwarding {
        var parentRequirements: ParentProxy.Requirements { childRequirements.parent }
        var parentTarget: (any Parent)? { childTarget }
        func told() {
          childRequirements.told.listeners?.send(())
          childTarget?.told()
        }
      }
      """)
  }

  @Test func refinesSeveralProtocols() {
    expectExpansion(
      of: """
        @Proxied(refining: First.self, Second.self) protocol Child: First, Second {}
        """,
      """
      protocol Child: First, Second {}
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      final class ChildProxy: ProtocolProxy, ChildForwarding {
        @dynamicMemberLookup final class Requirements {
          let first = FirstProxy.Requirements()
          let second = SecondProxy.Requirements()
          subscript<Requirement>(dynamicMember key: KeyPath<FirstProxy.Requirements, Requirement>) -> Requirement {
            first[keyPath: key]
          }
          subscript<Requirement>(dynamicMember key: KeyPath<SecondProxy.Requirements, Requirement>) -> Requirement {
            second[keyPath: key]
          }
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Child)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var childRequirements: Requirements { requirements }
        var childTarget: (any Child)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      protocol ChildForwarding: Child, FirstForwarding, SecondForwarding {
        var childRequirements: ChildProxy.Requirements { get }
        var childTarget: (any Child)? { get }
      }
      extension Child where Self: ChildForwarding {
        var firstRequirements: FirstProxy.Requirements { childRequirements.first }
        var firstTarget: (any First)? { childTarget }
        var secondRequirements: SecondProxy.Requirements { childRequirements.second }
        var secondTarget: (any Second)? { childTarget }
      }
      """)
  }

  @Test func refinesAProtocolGivenByItsProxy() {
    expectExpansion(
      of: """
        @Proxied(refining: Parents.ParentProxy.self) public protocol Child: Parents.Parent {}
        """,
      """
      public protocol Child: Parents.Parent {}
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      public final class ChildProxy: ProtocolProxy, ChildForwarding {
        @dynamicMemberLookup public final class Requirements {
          public let parent = Parents.ParentProxy.Requirements()
          public subscript<Requirement>(dynamicMember key: KeyPath<Parents.ParentProxy.Requirements, Requirement>) -> Requirement {
            parent[keyPath: key]
          }
          public init() {}
        }
        public let requirements = Requirements()
        public let ties = ProxyTies()
        @exclusivity(unchecked) public weak var forwardTo: (any Child)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        public var childRequirements: Requirements { requirements }
        public var childTarget: (any Child)? { forwardTo }
        public init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      public protocol ChildForwarding: Child, Parents.ParentForwarding {
        var childRequirements: ChildProxy.Requirements { get }
        var childTarget: (any Child)? { get }
      }
      extension Child where Self: ChildForwarding {
        public var parentRequirements: Parents.ParentProxy.Requirements {
          childRequirements.parent
        }
        public var parentTarget: (any Parents.Parent)? { childTarget }
      }
      """)
  }

  @Test func refinesANestedProtocol() {
    expectExpansion(
      of: """
        @Proxied(refining: Outer.Parent.self) protocol Child: Outer.Parent {}
        """,
      """
      protocol Child: Outer.Parent {}
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      final class ChildProxy: ProtocolProxy, ChildForwarding {
        @dynamicMemberLookup final class Requirements {
          let parent = Outer.ParentProxy.Requirements()
          subscript<Requirement>(dynamicMember key: KeyPath<Outer.ParentProxy.Requirements, Requirement>) -> Requirement {
            parent[keyPath: key]
          }
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Child)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var childRequirements: Requirements { requirements }
        var childTarget: (any Child)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      protocol ChildForwarding: Child, Outer.ParentForwarding {
        var childRequirements: ChildProxy.Requirements { get }
        var childTarget: (any Child)? { get }
      }
      extension Child where Self: ChildForwarding {
        var parentRequirements: Outer.ParentProxy.Requirements { childRequirements.parent }
        var parentTarget: (any Outer.Parent)? { childTarget }
      }
      """)
  }

  @Test func refinesAProtocolWithARawName() {
    expectExpansion(
      of: """
        @Proxied(refining: `my delegate`.self) protocol Child: `my delegate` {
          func my_delegate()
        }
        """,
      """
      protocol Child: `my delegate` {
        func my_delegate()
      }
      /// A proxy that makes streams of the calls to a `Child`.
      @DecoyConformers
      final class ChildProxy: ProtocolProxy, ChildForwarding {
        @dynamicMemberLookup final class Requirements {
          let my_delegate = `my delegateProxy`.Requirements()
          let my_delegate_2 = EventRequirement< >()
          subscript<Requirement>(dynamicMember key: KeyPath<`my delegateProxy`.Requirements, Requirement>) -> Requirement {
            my_delegate[keyPath: key]
          }
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any Child)? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var childRequirements: Requirements { requirements }
        var childTarget: (any Child)? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `Child`.
      protocol ChildForwarding: Child, `my delegateForwarding` {
        var childRequirements: ChildProxy.Requirements { get }
        var childTarget: (any Child)? { get }
      }
      extension Child where Self: ChildForwarding {
        var my_delegateRequirements: `my delegateProxy`.Requirements {
          childRequirements.my_delegate
        }
        var my_delegateTarget: (any `my delegate`)? { childTarget }
        func my_delegate() {
          childRequirements.my_delegate_2.listeners?.send(())
          childTarget?.my_delegate()
        }
      }
      """)
  }
}
