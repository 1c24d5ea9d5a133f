import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@BusInterface("org.example.Meter")
private protocol Meter: AnyObject {
  @BusMember(changes: .silent) var level: ReadOnlyProperty<UInt32> { get }
  @BusMember(changes: .silent) var limit: Property<UInt32> { get }
  var kind: String { get }
}

private final class WaterMeter: Meter {
  let currentLevel = Property(UInt32(1))
  var level: ReadOnlyProperty<UInt32> { currentLevel.readOnly }
  let limit = Property(UInt32(10))
  let kind = "water"
}

/// Properties whose changes are not announced.
@Suite struct SilentPropertiesTests {
  /// Runs a body with a meter, and with its properties after they were read.
  private func withMeter(
    _ body:
      @escaping @Sendable (
        EventLoop, Confined<WaterMeter?>, Confined<MeterProxy?>, EventLog<String>
      ) -> Void
  ) async {
    await withLoop { loop in
      let pair = SocketPair()
      let log = EventLog<String>()
      let kept = Confined<[BusConnection]>([])
      let meter = Confined<WaterMeter?>(nil)
      let proxy = Confined<MeterProxy?>(nil)
      loop.wait {
        let sockets = [pair.near, pair.far].compactMap { BusDescriptor(duplicating: $0) }
        let server = BusConnection(.acceptedSocket(sockets[0]), on: loop)
        let client = BusConnection(.peerSocket(sockets[1]), on: loop)
        kept.value = [server, client]
        let object = WaterMeter()
        meter.value = object
        server.export(object, as: MeterProxy.self, at: "/one")
        let remote = MeterProxy(at: "/one", from: nil, on: client)
        proxy.value = remote
        let properties = remote.remote.properties
        properties.property("Level", as: UInt32.self).observeNext { level in
          if let level { log.add("level \(level)") }
        }
        remote.limit.observeNext { limit in if let limit { log.add("limit \(limit)") } }
        remote.kind.observeNext { kind in if let kind { log.add(kind) } }
      }
      #expect(Set(log.wait(for: 3)) == ["level 1", "limit 10", "water"])
      body(loop, meter, proxy, log)
      loop.wait {
        proxy.value = nil
        meter.value = nil
        kept.value = []
      }
    }
  }

  @Test func readingChangesTheProperty() async {
    await withMeter { loop, meter, proxy, log in
      loop.wait {
        meter.value?.currentLevel.value = 2
        proxy.value?.remote.properties.read("Level", as: UInt32.self)
          .observe(succeeded: { log.add("read \($0)") }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 5)[3...] == ["level 2", "read 2"])
      loop.wait {
        meter.value?.limit.value = 11
        proxy.value?.limit.read().observe(succeeded: { log.add("read \($0)") })
      }
      #expect(log.wait(for: 7)[5...] == ["limit 11", "read 11"])
    }
  }

  @Test func aProxyReadsEachTime() async {
    await withMeter { loop, meter, proxy, log in
      for level in UInt32(2)...3 {
        let count = log.count
        loop.wait {
          meter.value?.currentLevel.value = level
          proxy.value?.level.observe(succeeded: { log.add("read \($0)") })
        }
        #expect(log.wait(for: count + 1).last == "read \(level)")
      }
    }
  }

  @Test func settingChangesTheProperty() async {
    await withMeter { loop, meter, proxy, log in
      loop.wait { _ = proxy.value?.limit.set(20).observe(failed: { log.add("\($0)") }) }
      #expect(log.wait(for: 4).last == "limit 20")
      let limit = loop.wait { meter.value?.limit.value }
      #expect(limit == 20)
    }
  }

  @Test func wrongTypesAndUnknownNamesAreErrors() async {
    await withMeter { loop, _, proxy, log in
      loop.wait {
        let properties = proxy.value?.remote.properties
        properties?.read("Level", as: String.self)
          .observe(succeeded: { _ in Issue.record("A text.") }, failed: { log.add("\($0)") })
        properties?.read("Absent", as: String.self)
          .observe(succeeded: { _ in Issue.record("A text.") }, failed: { log.add("\($0)") })
      }
      let errors = log.wait(for: 5)[3...]
      #expect(
        errors == [
          "\(BusError.wrongSignature(expected: "s", found: "u"))",
          "org.example.Meter has no property Absent.",
        ])
    }
  }
}
