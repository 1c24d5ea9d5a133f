import Glibc
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct PolicyTests {
  private static let properties = "org.freedesktop.DBus.Properties"

  @Test func policyKnowsTheCaller() async {
    let seen = EventLog<BusCaller>()
    await withPlayerClient(allowing: { call in
      seen.add(call.caller)
      return call.name != "Add" && !(call.name == "Volume" && call.access == .write)
    }) { bus, client, _, _ in
      let properties = Self.properties
      guard case .error(.accessDenied) = bus.player("Add", on: client, .int32(1), .int32(2)),
        case .error(.accessDenied) = bus.player(
          "Set", of: properties, on: client, .string("org.example.Player"), .string("Volume"),
          .variant(Variant(0.1)))
      else {
        Issue.record("A refused call.")
        return
      }
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
      let name = bus.loop.wait { () -> String? in
        if case .connected(let name) = client.value?.state.value { name } else { nil }
      }
      let caller = BusCaller(name: name, user: getuid(), process: UInt32(getpid()))
      #expect(seen.all == [caller, caller, caller])
    }
  }
}
