import Testing

@testable import RunnelExpansions

/// The compiler and code completion expand macros while the source is being typed.
@Suite struct HalfTypedTests {
  @Test(arguments: [
    "@Proxied protocol : AnyObject {}",
    "@Proxied protocol Delegate: AnyObject",
    "@Proxied protocol Delegate<>: AnyObject { associatedtype }",
    "@Proxied protocol Delegate: AnyObject where { func told }",
    "@Proxied protocol Delegate: AnyObject { func told(_ x); func asked(_ x: ) -> }",
    "@Proxied protocol Delegate: AnyObject { var y; var z: { get }; var (e, f): Int { get } }",
    "@Proxied protocol Delegate: AnyObject { var a: Int { get }, b: Int { get } }",
    "@Proxied protocol Delegate: AnyObject { subscript; subscript() -> { } }",
    "@Proxied protocol Delegate: AnyObject { func told() }; @Proxied protocol",
    "@Proxied protocol Delegate: AnyObject { #if\n func told()",
    "@Proxied protocol Delegate: AnyObject { #if DEBUG\n func told(\n #else",
    "@Proxied(refining: (any P).self) protocol Delegate<Item>: AnyObject {}",
  ])
  func incompleteSourcesAreLeftToTheCompiler(source: String) {
    #expect(Expanding(source).report == "")
  }

  @Test func anEmptyRefiningArgumentIsAnError() {
    expectReport(
      on: "@Proxied(refining: ) protocol Delegate: AnyObject {}",
      """
      1:20 'refining' takes the types of other proxied protocols: ScrollDelegate.self
      """)
  }

  @Test func anUnclosedDefaultIsDiagnosed() {
    expectReport(
      on: "@Proxied protocol Delegate: AnyObject { @Default( func told() }",
      "1:41 'told()' returns nothing, so its default has no value: @Default")
  }

  @Test func anOperatorWithoutOperandsIsAnError() {
    expectReport(
      on: "@Proxied protocol Delegate: AnyObject { static func + }",
      "1:53 a proxy can forward the operator '+' only if exactly one operand is 'Self'")
  }

  /// Every prefix of a source existed while it was being typed.
  @Test func anyPrefixIsExpanded() {
    let source =
      """
      /// Told.
      @Proxied(refining: (any Parent<Int>).self, Other.self) @MainActor
      public protocol Delegate<Item>: AnyObject, Parent where Item: Hashable {
        associatedtype Item: Sequence where Item.Element == Self.Item
        /** Which. */ @Default([1: "a"]) func told<T>(_ x: inout [T], y: @escaping () throws -> Int) async throws(Bad) -> Item? where T: P
        #if DEBUG && os(Linux)
        @Default var `class`: (any P)! { get async throws set }
        static subscript(x: Self...) -> sending Box { get set }
        #endif
        static prefix func - (x: Self) -> Self
      }
      """
    for length in stride(from: 0, through: source.count, by: 7) {
      let beginning = String(source.prefix(length))
      #expect(Expanding(beginning).text.contains("protocol") == beginning.contains("protocol"))
    }
  }
}
