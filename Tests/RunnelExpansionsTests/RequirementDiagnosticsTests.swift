import Testing

@Suite struct RequirementDiagnosticsTests {
  @Test func aStaticMethodIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @available(*, deprecated) static func make() -> Int
        }
        """,
      """
      2:29 a proxy forwards to one object, but the static requirement 'make()' belongs to its type
        fix: remove 'static'
      @Proxied protocol Delegate: AnyObject {
        @available(*, deprecated) func make() -> Int
      }
      """)
  }

  @Test func aStaticPropertyIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          /// All.
          static var all: [Int] { get }
        }
        """,
      """
      3:3 a proxy forwards to one object, but the static requirement 'all' belongs to its type
        fix: remove 'static'
      @Proxied protocol Delegate: AnyObject {
        /// All.
        var all: [Int] { get }
      }
      """)
  }

  @Test func aStaticSubscriptIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          static subscript(_ x: Int) -> Int { get }
        }
        """,
      """
      2:3 a proxy forwards to one object, but the static requirement 'subscript(_:)' belongs to its type
        fix: remove 'static'
      @Proxied protocol Delegate: AnyObject {
        subscript(_ x: Int) -> Int { get }
      }
      """)
  }

  @Test func aClassMethodIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          class func make()
        }
        """,
      """
      2:3 a proxy forwards to one object, but the static requirement 'make()' belongs to its type
        fix: remove 'class'
      @Proxied protocol Delegate: AnyObject {
        func make()
      }
      """)
  }

  @Test func anInitializerIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          init(x: Int)
          @Default init()
        }
        """,
      """
      2:3 a proxy forwards to an existing object, and cannot forward 'init'
      3:12 a proxy forwards to an existing object, and cannot forward 'init'
      """)
  }

  @Test func nonisolatedInAnIsolatedProtocolIsAnError() {
    expectReport(
      on: """
        @Proxied @MainActor protocol Delegate: AnyObject {
          nonisolated func told()
          nonisolated var x: Int { get }
        }
        """,
      """
      2:3 'told()' is nonisolated, but the proxy is isolated like its protocol: isolate it too
        fix: remove 'nonisolated'
      @Proxied @MainActor protocol Delegate: AnyObject {
        func told()
        nonisolated var x: Int { get }
      }
      3:3 'x' is nonisolated, but the proxy is isolated like its protocol: isolate it too
        fix: remove 'nonisolated'
      @Proxied @MainActor protocol Delegate: AnyObject {
        nonisolated func told()
        var x: Int { get }
      }
      """)
  }

  @Test func nonisolatedElsewhereIsAllowed() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          nonisolated func told()
        }
        """,
      "")
  }

  @Test func namesOfProxyMembersAreReserved() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          func forwardTo(_ x: Int)
          var requirements: Int { get }
          var `ties`: Int { get }
          func delegateTarget()
          var delegateRequirements: Int { get }
        }
        """,
      """
      2:8 every proxy has a member 'forwardTo': choose another name
      3:7 every proxy has a member 'requirements': choose another name
      4:7 every proxy has a member '`ties`': choose another name
      5:8 every proxy has a member 'delegateTarget': choose another name
      6:7 every proxy has a member 'delegateRequirements': choose another name
      """)
  }

  @Test func namesOfRefinedProxyMembersAreReserved() {
    expectReport(
      on: """
        @Proxied(refining: Parent.self) protocol Delegate: Parent {
          func parentTarget()
        }
        """,
      "2:8 every proxy has a member 'parentTarget': choose another name")
  }

  @Test func mistakesInsideConditionsAreFound() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          #if DEBUG
          #if os(Linux)
          static func make()
          #endif
          #endif
        }
        """,
      """
      4:3 a proxy forwards to one object, but the static requirement 'make()' belongs to its type
        fix: remove 'static'
      @Proxied protocol Delegate: AnyObject {
        #if DEBUG
        #if os(Linux)
        func make()
        #endif
        #endif
      }
      """)
  }
}
