import Testing

@Suite struct DefaultDiagnosticsTests {
  @Test func defaultOfAResultNeedsAValue() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @Default func asked() -> Int
        }
        """,
      "2:3 the default of 'asked()' needs a value: @Default(value)")
  }

  @Test func defaultOfAPropertyNeedsAValue() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @Default() var x: Int { get }
        }
        """,
      "2:3 the default of 'x' needs a value: @Default(value)")
  }

  @Test func defaultOfASubscriptNeedsAValue() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @Default subscript(x: Int) -> Int { get }
        }
        """,
      "2:3 the default of 'subscript(_:)' needs a value: @Default(value)")
  }

  @Test func defaultWithoutAResultHasNoValue() {
    expectReport(
      on: """
        @Proxied protocol Delegate: AnyObject {
          @Default(1) func told()
        }
        """,
      "2:3 'told()' returns nothing, so its default has no value: @Default")
  }

  @Test func defaultOnAnAssociatedTypeIsAnError() {
    expectReport(
      on: """
        @Proxied protocol Delegate<Item>: AnyObject {
          @Default associatedtype Item
        }
        """,
      "2:3 @Default can only be applied to a requirement of a @Proxied protocol")
  }

  @Test func defaultOutsideATypeIsAnError() {
    expectReport(
      on: "@Default(1) func asked() -> Int { 1 }",
      "1:1 @Default can only be applied to a requirement of a @Proxied protocol")
  }

  @Test func defaultInAClassIsAnError() {
    expectReport(
      on: """
        class Delegate {
          @Default(1) var x: Int { 1 }
        }
        """,
      "2:3 @Default can only be applied to a requirement of a @Proxied protocol")
  }

  @Test func defaultInAnUnproxiedProtocolIsAnError() {
    expectReport(
      on: """
        protocol Delegate: AnyObject {
          @Default func told()
        }
        """,
      "2:3 @Default can only be applied to a requirement of a @Proxied protocol")
  }

  @Test func defaultInAnExtensionIsAnError() {
    expectReport(
      on: """
        extension Delegate {
          @Default func told() {}
        }
        """,
      "2:3 @Default can only be applied to a requirement of a @Proxied protocol")
  }
}
