import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopPowerTests {
  private func withPower(
    _ bus: PrivateBus, _ body: (Confined<DesktopPower?>) -> Void
  ) {
    let client = bus.connect()
    let power = Confined<DesktopPower?>(nil)
    bus.loop.wait { power.value = client.value.map { DesktopPower(on: $0) } }
    body(power)
    bus.loop.wait {
      power.value = nil
      client.value = nil
    }
  }

  @Test func theBatteryFollowsUPower() async {
    await withBus { bus in
      withPower(bus) { power in
        let log = EventLog<String>()
        bus.loop.wait {
          _ = power.value?.battery.distinctUntilChanged().observeNext { battery in
            log.add(
              battery.map {
                "\($0.charge) \($0.state) \($0.remainingTime?.components.seconds ?? 0) \($0.isLow)"
              } ?? "none")
          }
        }
        let name = DesktopPower.service
        bus.withMock("upower", named: name) {
          let changes: [([String: Variant], String)] = [
            (
              [
                "IsPresent": Variant(true), "Percentage": Variant(25.0),
                "State": Variant(UInt32(2)), "TimeToEmpty": Variant(Int64(600)),
                "TimeToFull": Variant(Int64(60)),
              ], "0.25 discharging 600 false"
            ),
            (["State": Variant(UInt32(1))], "0.25 charging 60 false"),
            (
              ["Percentage": Variant(110.0), "State": Variant(UInt32(99))],
              "1.0 unknown 600 false"
            ),
            (["WarningLevel": Variant(UInt32(4))], "1.0 unknown 600 true"),
            (["IsPresent": Variant(false)], "none"),
          ]
          for (index, (values, text)) in changes.enumerated() {
            bus.updateMock(
              DesktopPower.deviceInterface, at: DesktopPower.devicePath, of: name, values)
            #expect(log.wait(for: index + 2).last == text)
          }
        }
      }
    }
  }

  @Test func theSupplyIsKnownWhileUPowerRuns() async {
    await withBus { bus in
      withPower(bus) { power in
        let log = EventLog<Bool?>()
        bus.loop.wait {
          _ = power.value?.isOnBattery.distinctUntilChanged().observeNext { log.add($0) }
        }
        let name = DesktopPower.service
        bus.withMock("upower", named: name) {
          #expect(log.wait(for: 2) == [nil, false])
          bus.updateMock(name, at: DesktopPower.path, of: name, ["OnBattery": Variant(true)])
          #expect(log.wait(for: 3).last == true)
        }
        #expect(log.wait(for: 4) == [nil, false, true, nil])
      }
    }
  }

  @Test func theProfileIsReadAndSet() async {
    await withBus { bus in
      withPower(bus) { power in
        let log = EventLog<String>()
        bus.loop.wait {
          _ = power.value?.profile.distinctUntilChanged().observeNext { profile in
            log.add(profile.map { "\($0)" } ?? "nil")
          }
        }
        func set() {
          bus.loop.wait {
            _ = power.value?.set(.powerSaver).observe(
              completed: { log.add("set") }, failed: { log.add("\($0)") })
          }
        }
        set()
        #expect(log.wait(for: 2)[1].contains("does not run"))
        bus.withMock("power_profiles_daemon", named: DesktopPower.profiles) {
          #expect(log.wait(for: 3).last == "balanced")
          set()
          #expect(Set(log.wait(for: 5)[3...]) == ["set", "powerSaver"])
        }
      }
    }
  }
}
