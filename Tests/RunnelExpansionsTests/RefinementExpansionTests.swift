import Testing

@Suite struct RefinementExpansionTests {
  @Test func refinesOneProtocol() {
    expectDifference(
      of: """
        @Proxied(refining: Parent.self) protocol Child: Parent {
          func told()
        }
        """,
      from: """
        @Proxied protocol Child: AnyObject {
          func told()
        }
        """,
      """
        final class ChildProxy: ProtocolProxy, ChildForwarding {
      -   final class Requirements {
      +   @dynamicMemberLookup final class Requirements {
      +     let parent = ParentProxy.Requirements()
            let told = EventRequirement< >()
      +     subscript<Requirement>(dynamicMember key: KeyPath<ParentProxy.Requirements, Requirement>) -> Requirement {
      +       parent[keyPath: key]
      +     }
        /// A proxy that forwards the calls to a `Child`.
      - protocol ChildForwarding: Child {
      + protocol ChildForwarding: Child, ParentForwarding {
        extension Child where Self: ChildForwarding {
      +   var parentRequirements: ParentProxy.Requirements { childRequirements.parent }
      +   var parentTarget: (any Parent)? { childTarget }
      """)
  }

  @Test func refinesSeveralProtocols() {
    expectDifference(
      of: """
        @Proxied(refining: First.self, Second.self) protocol Child: First, Second {}
        """,
      from: "@Proxied(refining: First.self) protocol Child: First {}",
      """
            let first = FirstProxy.Requirements()
      +     let second = SecondProxy.Requirements()
              first[keyPath: key]
      +     }
      +     subscript<Requirement>(dynamicMember key: KeyPath<SecondProxy.Requirements, Requirement>) -> Requirement {
      +       second[keyPath: key]
        /// A proxy that forwards the calls to a `Child`.
      - protocol ChildForwarding: Child, FirstForwarding {
      + protocol ChildForwarding: Child, FirstForwarding, SecondForwarding {
          var firstTarget: (any First)? { childTarget }
      +   var secondRequirements: SecondProxy.Requirements { childRequirements.second }
      +   var secondTarget: (any Second)? { childTarget }
      """)
  }

  @Test func refinesAProtocolGivenByItsProxy() {
    expectDifference(
      of: """
        @Proxied(refining: Parents.ParentProxy.self) public protocol Child: Parents.Parent {}
        """,
      from: "@Proxied public protocol Child: AnyObject {}",
      """
        public final class ChildProxy: ProtocolProxy, ChildForwarding {
      -   public final class Requirements {
      +   @dynamicMemberLookup public final class Requirements {
      +     public let parent = Parents.ParentProxy.Requirements()
      +     public subscript<Requirement>(dynamicMember key: KeyPath<Parents.ParentProxy.Requirements, Requirement>) -> Requirement {
      +       parent[keyPath: key]
      +     }
        /// A proxy that forwards the calls to a `Child`.
      - public protocol ChildForwarding: Child {
      + public protocol ChildForwarding: Child, Parents.ParentForwarding {
        }
      - extension Child where Self: ChildForwarding {}
      + extension Child where Self: ChildForwarding {
      +   public var parentRequirements: Parents.ParentProxy.Requirements {
      +     childRequirements.parent
      +   }
      +   public var parentTarget: (any Parents.Parent)? { childTarget }
      + }
      """)
  }

  @Test func refinesANestedProtocol() {
    expectDifference(
      of: "@Proxied(refining: Outer.Parent.self) protocol Child: Outer.Parent {}",
      from: "@Proxied(refining: Parent.self) protocol Child: Parent {}",
      """
          @dynamicMemberLookup final class Requirements {
      -     let parent = ParentProxy.Requirements()
      -     subscript<Requirement>(dynamicMember key: KeyPath<ParentProxy.Requirements, Requirement>) -> Requirement {
      +     let parent = Outer.ParentProxy.Requirements()
      +     subscript<Requirement>(dynamicMember key: KeyPath<Outer.ParentProxy.Requirements, Requirement>) -> Requirement {
        /// A proxy that forwards the calls to a `Child`.
      - protocol ChildForwarding: Child, ParentForwarding {
      + protocol ChildForwarding: Child, Outer.ParentForwarding {
        extension Child where Self: ChildForwarding {
      -   var parentRequirements: ParentProxy.Requirements { childRequirements.parent }
      -   var parentTarget: (any Parent)? { childTarget }
      +   var parentRequirements: Outer.ParentProxy.Requirements { childRequirements.parent }
      +   var parentTarget: (any Outer.Parent)? { childTarget }
      """)
  }

  @Test func refinesAProtocolWithARawName() {
    expectDifference(
      of: """
        @Proxied(refining: `my delegate`.self) protocol Child: `my delegate` {
          func my_delegate()
        }
        """,
      from: """
        @Proxied protocol Child: AnyObject {
          func my_delegate()
        }
        """,
      """
        final class ChildProxy: ProtocolProxy, ChildForwarding {
      -   final class Requirements {
      -     let my_delegate = EventRequirement< >()
      +   @dynamicMemberLookup final class Requirements {
      +     let my_delegate = `my delegateProxy`.Requirements()
      +     let my_delegate_2 = EventRequirement< >()
      +     subscript<Requirement>(dynamicMember key: KeyPath<`my delegateProxy`.Requirements, Requirement>) -> Requirement {
      +       my_delegate[keyPath: key]
      +     }
        /// A proxy that forwards the calls to a `Child`.
      - protocol ChildForwarding: Child {
      + protocol ChildForwarding: Child, `my delegateForwarding` {
        extension Child where Self: ChildForwarding {
      +   var my_delegateRequirements: `my delegateProxy`.Requirements {
      +     childRequirements.my_delegate
      +   }
      +   var my_delegateTarget: (any `my delegate`)? { childTarget }
          func my_delegate() {
      -     childRequirements.my_delegate.listeners?.send(())
      +     childRequirements.my_delegate_2.listeners?.send(())
      """)
  }
}
