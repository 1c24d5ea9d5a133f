import Testing

@testable import RunnelExpansions

/// Protocols that inherit from delegate protocols of Foundation.
@Suite struct FoundationDelegateTests {
  @Test func anObjectProtocolGetsAnObjectProxy() {
    expectDifference(
      of: "@Proxied public protocol Delegate: NSObjectProtocol {}",
      from: "@Proxied public protocol Delegate: AnyObject {}",
      """
        @DecoyConformers
      - public final class DelegateProxy: ProtocolProxy, DelegateForwarding {
      + public final class DelegateProxy: NSObject, ProtocolProxy, DelegateForwarding {
          public var delegateTarget: (any Delegate)? { forwardTo }
      -   public init() {}
      +   public override init() {}
      """)
  }

  @Test func decoysOfAnObjectProxyAreObjects() {
    let expanded = Expanding(
      "@DecoyConformers final class DelegateProxy: NSObject, ProtocolProxy {}",
      macros: ["DecoyConformers": DecoyConformersMacro.self])
    #expect(expanded.text.contains("class FirstDecoy: NSObject, DelegateForwarding {"))
    #expect(expanded.text.contains("class SecondDecoy: NSObject, DelegateForwarding {"))
  }

  @Test(arguments: [
    "AnyObject, XMLParserDelegate", "NSObjectProtocol, NSCacheDelegate",
    "Foundation.NSObjectProtocol & Sendable, URLSessionDataDelegate",
    "AnyObject, Sendable, FileManagerDelegate", "AnyObject, Other.DialDelegate",
  ])
  func aCompleteListIsAccepted(_ inherited: String) {
    expectReport(on: "@Proxied protocol Events: \(inherited) {}", "")
  }

  @Test(arguments: [
    ("XMLParserDelegate", "AnyObject"),
    ("AnyObject, FileManagerDelegate", "Sendable"),
    ("AnyObject, NSCacheDelegate", "NSObjectProtocol"),
    ("Sendable, FoundationNetworking.URLSessionDelegate", "NSObjectProtocol"),
    ("NSObjectProtocol, URLSessionTaskDelegate", "Sendable"),
  ])
  func aMissingTypeIsReported(_ inherited: String, _ missing: String) {
    let name = inherited.split { ",. ".contains($0) }.last ?? ""
    expectReport(
      on: "@Proxied protocol Events: \(inherited) {}",
      """
      1:19 '\(name)' inherits from '\(missing)', which the macro cannot see: inherit from it here too
        fix: inherit from '\(missing)'
      @Proxied protocol Events: \(missing), \(inherited) {}
      """)
  }

  @Test func severalMissingTypesAreReported() {
    expectReport(
      on: "@Proxied protocol Events: AnyObject, URLSessionDataDelegate {}",
      """
      1:19 'URLSessionDataDelegate' inherits from 'NSObjectProtocol' and 'Sendable', which the macro \
      cannot see: inherit from them here too
        fix: inherit from 'NSObjectProtocol' and 'Sendable'
      @Proxied protocol Events: NSObjectProtocol, Sendable, AnyObject, URLSessionDataDelegate {}
      """)
  }

  @Test func aRefinedProtocolIsAClassProtocol() {
    expectReport(
      on: "@Proxied(refining: Parent.self) protocol Events: Parent, XMLParserDelegate {}", "")
  }

  @Test func anIsolatedDelegateIsReported() {
    expectReport(
      on: "@Proxied @MainActor protocol Events: AnyObject, XMLParserDelegate {}",
      """
      1:30 the methods of 'XMLParserDelegate' are nonisolated, so 'Events' must be nonisolated too
      """)
  }
}
