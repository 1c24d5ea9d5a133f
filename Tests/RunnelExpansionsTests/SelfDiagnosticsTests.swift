import Testing

@Suite struct SelfDiagnosticsTests {
  @Test func returningSelfIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          func copied() -> Self
        }
        """,
      """
      2:20 'copied()' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        func copied() -> any Delegate
      }
      """)
  }

  @Test func takingSelfIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          func isBefore(_ other: Self?) -> Bool
        }
        """,
      """
      2:26 'isBefore(_:)' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        func isBefore(_ other: (any Delegate)?) -> Bool
      }
      """)
  }

  @Test func selfInAGenericArgumentIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          func all() -> [String: Self]
          var others: Array<Self> { get }
        }
        """,
      """
      2:26 'all()' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        func all() -> [String: any Delegate]
        var others: Array<Self> { get }
      }
      3:21 'others' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        func all() -> [String: Self]
        var others: Array<any Delegate> { get }
      }
      """)
  }

  @Test func selfInASubscriptIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          subscript(other: Self) -> Int { get }
        }
        """,
      """
      2:20 'subscript(_:)' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        subscript(other: any Delegate) -> Int { get }
      }
      """)
  }

  @Test func selfInAClosureTypeIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          func with(_ body: (Self) -> Void)
        }
        """,
      """
      2:22 'with(_:)' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        func with(_ body: (any Delegate) -> Void)
      }
      """)
  }

  @Test func theMetatypeOfSelfIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          func kind() -> Self.Type
        }
        """,
      """
      2:18 'kind()' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        func kind() -> (any Delegate).Type
      }
      """)
  }

  @Test func theFixNamesPrimaryAssociatedTypes() {
    expectReport(
      on: """
        @Proxied protocol Delegate<Item>: AnyObject {
          associatedtype Item
          func others() -> Self?
        }
        """,
      """
      3:20 'others()' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate<Item>'
      @Proxied protocol Delegate<Item>: AnyObject {
        associatedtype Item
        func others() -> (any Delegate<Item>)?
      }
      """)
  }

  @Test func everyMistakeOfARequirementIsReported() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static func make(_ other: Self) -> Self
        }
        """,
      """
      2:3 a proxy forwards to one object, but the static requirement 'make(_:)' belongs to its type
        fix: remove 'static'
      @Proxied protocol Delegate: AnyObject {
        func make(_ other: Self) -> Self
      }
      2:29 'make(_:)' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        static func make(_ other: any Delegate) -> Self
      }
      2:38 'make(_:)' takes or returns 'Self', but the target of a proxy has another type than the proxy
        fix: use 'any Delegate'
      @Proxied protocol Delegate: AnyObject {
        static func make(_ other: Self) -> any Delegate
      }
      """)
  }

  @Test func associatedTypesOfSelfAreAllowed() {
    expectReport(
      on: """
        @Proxied protocol Delegate<Item>: AnyObject {
          associatedtype Item
          func told(_ x: Self.Item, _ y: [Self.Item])
        }
        """,
      "")
  }
}
