import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct CallTests {
  @Test func connectionGetsUniqueName() async {
    await withBus { bus in
      let log = EventLog<BusConnection.State>()
      let connection = bus.connect()
      bus.loop.execute { connection.value?.state.stream.observeNext { log.add($0) } }
      let states = log.wait { if case .connected = $0.last { true } else { false } }
      guard case .connected(let name?) = states.last else {
        Issue.record("\(states)")
        return
      }
      #expect(name.hasPrefix(":1."))
    }
  }

  @Test func callsReturnValues() async {
    await withBus { bus in
      bus.withPeer { _ in
        let connection = bus.connect()
        let sum = bus.loop.result(of: .peer("Add"), on: connection) { writer throws(BusError) in
          try Int32(40).write(to: writer)
          try Int32(2).write(to: writer)
        }
        #expect(sum == .values("int32(42)"))
        let values: [Variant] = [
          Variant(UInt8(7)), Variant(true), Variant(Int16(-2)), Variant(UInt64.max), Variant(0.5),
          Variant("text é"), Variant(ObjectPath("/a/b")), Variant(["a": [UInt32(1), 2]]),
          Variant(["key": Variant(Int64(-5))]), Variant([[ObjectPath]()]),
        ]
        for value in values {
          let result = bus.loop.result(of: .peer("Echo"), on: connection) {
            writer throws(BusError) in try value.write(to: writer)
          }
          #expect(result == .values("\(Variant.Content.variant(value))"))
        }
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func errorsAreTyped() async {
    await withBus { bus in
      bus.withPeer { _ in
        let connection = bus.connect()
        func result(_ method: BusMethod, startsService: Bool = true) -> CallResult {
          bus.loop.result(of: method, startsService: startsService, on: connection)
        }
        #expect(
          result(.peer("Fail")) == .error(.other(name: "org.example.Full", text: "no room")))
        if case .error(.unknownMethod) = result(.peer("Absent")) {
        } else {
          Issue.record("an unknown method")
        }
        let absent = BusMethod("Call", of: "org.example.None", at: "/", from: "org.example.None")
        if case .error(.serviceUnknown) = result(absent) {
        } else {
          Issue.record("an unknown service")
        }
        #expect(
          result(absent, startsService: false) == .error(.serviceAbsent("org.example.None")))
        let wrong = BusMethod("No-Name", of: "org.example.None", at: "/", from: "org.example.None")
        #expect(result(wrong) == .error(.invalidName("No-Name")))
        // Two numbers instead of none.
        if case .error = result(.peer("Add")) {} else { Issue.record("missing arguments") }
        let local = BusMethod("Call", of: "org.freedesktop.DBus.Local", at: "/", from: nil)
        #expect(result(local) == .error(.invalidName("org.freedesktop.DBus.Local")))
        // The connection has survived.
        #expect(result(.peer("Fail")) != .error(.disconnected))
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func callsTimeOut() async {
    await withBus { bus in
      bus.withPeer { peer in
        let connection = bus.connect()
        let result = bus.loop.result(
          of: .peer("Never"), timeout: .milliseconds(20), on: connection)
        #expect(result == .error(.timedOut))
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func deathOfThePeerEndsCalls() async {
    await withBus { bus in
      bus.withPeer { peer in
        let connection = bus.connect()
        if case .error(.noReply) = bus.loop.result(of: .peer("Die"), on: connection) {
        } else {
          Issue.record("The call did not fail.")
        }
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func replyAfterDisposalIsIgnored() async {
    await withBus { bus in
      bus.withPeer { peer in
        let connection = bus.connect()
        let log = EventLog<String>()
        bus.loop.wait {
          let call = connection.value?.call(.peer("Note"), with: UInt32(1))
            .observe(succeeded: { _ in log.add("reply") }, failed: { log.add("\($0)") })
          call?.dispose()
        }
        #expect(peer.readLine() == "1")
        // The replies of one service arrive in order.
        _ = bus.loop.result(of: .peer("Emit"), on: connection) { writer throws(BusError) in
          try UInt32(0).write(to: writer)
        }
        #expect(log.all == [])
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func callsKeepTheirOrder() async {
    await withBus { bus in
      bus.withPeer { peer in
        let connection = bus.connect()
        let log = EventLog<UInt32>()
        bus.loop.execute {
          for number in UInt32(0)..<300 {
            connection.value?.call(.peer("Note"), with: number)
              .observe(succeeded: { _ in log.add(number) })
          }
        }
        // The peer waits when nobody reads its lines.
        let lines = (0..<300).map { _ in peer.readLine() }
        let numbers = (0..<300).map { "\($0)" }
        #expect(lines == numbers)
        #expect(log.wait(for: 300) == Array(0..<300))
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func closingInsideAReplyFailsOtherCalls() async {
    await withBus { bus in
      bus.withPeer { _ in
        let connection = bus.connect()
        let log = EventLog<String>()
        bus.loop.execute {
          connection.value?.call(.peer("Never")).observe(failed: { log.add("\($0)") })
          connection.value?.call(.peer("Note"), with: UInt32(1)).observe(succeeded: { _ in
            connection.value?.close()
            connection.value = nil
            log.add("closed")
          })
        }
        #expect(log.wait(for: 2) == ["\(BusError.disconnected)", "closed"])
      }
    }
  }

  @Test func lossOfTheBusIsAState() async {
    await withBus { bus in
      let connection = bus.connect()
      let log = EventLog<BusConnection.State>()
      let listNames = BusMethod(
        "ListNames", of: "org.freedesktop.DBus", at: "/", from: "org.freedesktop.DBus")
      bus.loop.execute { connection.value?.state.stream.observeNext { log.add($0) } }
      if case .values = bus.loop.result(of: listNames, on: connection) {
      } else {
        Issue.record("The bus does not answer.")
      }
      bus.daemon.send(.kill)
      let states = log.wait { if case .lost = $0.last { true } else { false } }
      #expect(states.last == .lost(.disconnected))
      #expect(bus.loop.result(of: listNames, on: connection) == .error(.disconnected))
      bus.loop.wait { connection.value = nil }
    }
  }

  @Test func absentBusIsAState() async {
    await withLoop { loop in
      let log = EventLog<BusConnection.State?>()
      let kept = Confined<BusConnection?>(nil)
      loop.execute {
        kept.value = BusConnection(.bus("unix:path=/nonexistent/bus"), on: loop)
        kept.value?.state.stream.observeNext { log.add($0) }
      }
      #expect(log.wait(for: 2) == [.connecting, .lost(.cannotConnect(code: 2))])
      loop.wait { kept.value = nil }
    }
  }

  /// A call that finds the connection dead is the first to see it. The others end in the same way.
  @Test func callsOnADeadConnectionAreNotLate() async {
    await withBus { bus in
      bus.withPeer { peer in
        let connection = bus.connect()
        let log = EventLog<BusError>()
        let ask = { @Sendable () -> Void in
          connection.value?.call(.peer("Never")).observe(failed: { log.add($0) })
        }
        bus.loop.wait {
          ask()
          ask()
        }
        #expect(peer.readLine() == "never" && peer.readLine() == "never")
        bus.loop.wait {
          // The loop sees the end of the bus after this turn.
          bus.daemon.send(.kill)
          _ = bus.daemon.wait()
          ask()
        }
        #expect(log.wait(for: 3) == [.disconnected, .disconnected, .disconnected])
      }
    }
  }

  @Test func idleConnectionHasNoTimer() async {
    await withBus { bus in
      bus.withPeer { _ in
        let connection = bus.connect()
        let result = bus.loop.result(of: .peer("Note"), on: connection) { writer throws(BusError) in
          try UInt32(1).write(to: writer)
        }
        #expect(result == .values(""))
        let loop = bus.loop
        let timers = loop.wait { loop.statistics.timers }
        #expect(timers == 0)
        bus.loop.wait { connection.value = nil }
      }
    }
  }
}
