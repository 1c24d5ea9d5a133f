import Testing

@Suite struct ProtocolNameExpansionTests {
  @Test(arguments: [
    // Leading initials become lowercase together.
    ("URLDelegate", "URLDelegateProxy", "URLDelegateForwarding", "urlDelegate"),
    ("`class`", "classProxy", "classForwarding", "class"),
    ("`my delegate`", "`my delegateProxy`", "`my delegateForwarding`", "my_delegate"),
  ])
  func generatedNamesFollowTheProtocolName(
    name: String, proxy: String, forwarding: String, prefix: String
  ) {
    let text = name.filter { $0 != "`" }
    expectExpansion(
      of: """
        @Proxied protocol \(name): AnyObject {
          func told()
        }
        """,
      """
      protocol \(name): AnyObject {
        func told()
      }
      /// A proxy that makes streams of the calls to a `\(text)`.
      @DecoyConformers
      final class \(proxy): ProtocolProxy, \(forwarding) {
        final class Requirements {
          let told = EventRequirement< >()
          init() {}
        }
        let requirements = Requirements()
        let ties = ProxyTies()
        @exclusivity(unchecked) weak var forwardTo: (any \(name))? {
          didSet { ties.targetWasSet(to: forwardTo, of: self) }
        }
        var \(prefix)Requirements: Requirements { requirements }
        var \(prefix)Target: (any \(name))? { forwardTo }
        init() {}
      }
      /// A proxy that forwards the calls to a `\(text)`.
      protocol \(forwarding): \(name) {
        var \(prefix)Requirements: \(proxy).Requirements { get }
        var \(prefix)Target: (any \(name))? { get }
      }
      extension \(name) where Self: \(forwarding) {
        func told() {
          \(prefix)Requirements.told.listeners?.send(())
          \(prefix)Target?.told()
        }
      }
      """)
  }
}
