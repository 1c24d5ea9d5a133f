import Testing

@Suite struct HeadDiagnosticsTests {
  @Test(arguments: [
    "final class Delegate {}", "struct Delegate {}", "enum Delegate {}", "extension Delegate {}",
    "func told() {}", "var told = 1",
  ])
  func anythingButAProtocolIsAnError(declaration: String) {
    expectReport(
      on: "@Proxied \(declaration)", "1:1 @Proxied can only be applied to a protocol")
  }

  @Test func aProtocolMustBeClassBound() {
    expectReport(
      on: """
        @Proxied protocol Delegate {
          func told()
        }
        """,
      """
      1:19 a proxy holds its target weakly, so 'Delegate' must be a class protocol: inherit from AnyObject
        fix: inherit from 'AnyObject'
      @Proxied protocol Delegate: AnyObject {
        func told()
      }
      """)
  }

  @Test func anInheritingProtocolMustBeClassBound() {
    expectReport(
      on: "@Proxied protocol Delegate: Sendable {}",
      """
      1:19 a proxy holds its target weakly, so 'Delegate' must be a class protocol: inherit from AnyObject
        fix: inherit from 'AnyObject'
      @Proxied protocol Delegate: AnyObject, Sendable {}
      """)
  }

  @Test func aRefiningProtocolMustSayRefining() {
    expectReport(
      on: "@Proxied protocol TableDelegate: ScrollDelegate {}",
      """
      1:19 a proxy holds its target weakly, so 'TableDelegate' must be a class protocol: inherit from \
      AnyObject, or if 'ScrollDelegate' is proxied too, write @Proxied(refining: ScrollDelegate.self)
        fix: inherit from 'AnyObject'
      @Proxied protocol TableDelegate: AnyObject, ScrollDelegate {}
      """)
  }

  @Test func aGenericProtocolMustBeClassBound() {
    expectReport(
      on: """
        @Proxied protocol Delegate<Item> {
          associatedtype Item
        }
        """,
      """
      1:19 a proxy holds its target weakly, so 'Delegate' must be a class protocol: inherit from AnyObject
        fix: inherit from 'AnyObject'
      @Proxied protocol Delegate<Item>: AnyObject {
        associatedtype Item
      }
      """)
  }

  @Test(arguments: ["Actor", "DistributedActor"])
  func anActorProtocolIsAnError(inherited: String) {
    expectReport(
      on: "@Proxied protocol Delegate: \(inherited) {}",
      "1:19 a proxy is a class, and cannot conform to an actor protocol")
  }

  @Test func anotherTypeNamedActorIsAllowed() {
    expectReport(
      on: "@Proxied protocol Delegate: AnyObject, Film.Actor {}",
      "")
  }

  @Test func refiningTakesTypesOnly() {
    expectReport(
      on: """
        @Proxied(refining: Parent, .self, 3) protocol Delegate: AnyObject {}
        """,
      """
      1:20 'refining' takes the types of other proxied protocols: ScrollDelegate.self
      1:28 'refining' takes the types of other proxied protocols: ScrollDelegate.self
      1:35 'refining' takes the types of other proxied protocols: ScrollDelegate.self
      """)
  }

  @Test func anAssociatedTypeMustBePrimary() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          associatedtype Item
        }
        """,
      """
      2:18 'Item' must be a primary associated type, because the target is an 'any' type that specifies it
        fix: make 'Item' primary
      @Proxied protocol Delegate<Item>: AnyObject {
        associatedtype Item
      }
      """)
  }

  @Test func allAssociatedTypesMustBePrimary() {
    expectReport(
      on: """
        @Proxied protocol Delegate<Item>: AnyObject {
          associatedtype Item
          associatedtype Other
          associatedtype Third
        }
        """,
      """
      3:18 'Other' must be a primary associated type, because the target is an 'any' type that specifies it
        fix: make 'Item', 'Other', 'Third' primary
      @Proxied protocol Delegate<Item, Other, Third>: AnyObject {
        associatedtype Item
        associatedtype Other
        associatedtype Third
      }
      4:18 'Third' must be a primary associated type, because the target is an 'any' type that specifies it
        fix: make 'Item', 'Other', 'Third' primary
      @Proxied protocol Delegate<Item, Other, Third>: AnyObject {
        associatedtype Item
        associatedtype Other
        associatedtype Third
      }
      """)
  }

  @Test func anAssociatedTypeMustNotUseAProxyName() {
    expectReport(
      on: """
        @Proxied protocol Delegate<Target, Requirements>: AnyObject {
          associatedtype Target
          associatedtype Requirements
        }
        """,
      """
      2:18 every proxy has a member 'Target': choose another name
      3:18 every proxy has a member 'Requirements': choose another name
      """)
  }

  @Test func aNestedPrivateProtocolIsAnError() {
    expectReport(
      on: """
        enum Outer {
          @Proxied private protocol Delegate: AnyObject {}
        }
        """,
      """
      2:12 'Delegate' is extended at file scope, where a nested private protocol is not visible
        fix: make it 'fileprivate'
      enum Outer {
        @Proxied fileprivate protocol Delegate: AnyObject {}
      }
      """)
  }

  @Test func aTopLevelProtocolMayBePrivate() {
    expectReport(
      on: "@Proxied private protocol Delegate: AnyObject {}",
      "")
  }
}
