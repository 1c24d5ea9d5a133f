import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

/// Connections that exceed the limits of the bus of the system.
@Suite struct BusLimitTests {
  private static let wait = BusMethod(
    "Wait", of: "org.example.Player", at: "/one", from: "org.example.Player")

  /// Answers a number of calls of `Wait`.
  private func answer(
    _ count: Int, _ bus: PrivateBus, _ player: Confined<PlayerObject?>, _ log: EventLog<String>
  ) {
    for index in 0..<count {
      log.wait { all in all.count { $0 == "wait" } > index }
      bus.loop.wait { player.value?.waiting[index](.success("\(index)")) }
    }
  }

  @Test func manyCallsWaitForTheirTurn() async {
    await withBus { bus in
      bus.withPlayer { player, log in
        let client = bus.connect()
        let replies = EventLog<String>()
        bus.loop.wait {
          for _ in 0..<300 {
            client.value?.call(Self.wait).observe(
              succeeded: { replies.add((try? $0.value(as: String.self)) ?? "wrong type") },
              failed: { replies.add("\($0)") })
          }
        }
        answer(300, bus, player, log)
        let numbers = (0..<300).map { "\($0)" }
        #expect(replies.wait(for: 300) == numbers)
      }
    }
  }

  @Test func waitingCallsEndByTimeAndDisposal() async {
    await withBus { bus in
      bus.withPlayer { player, log in
        let client = bus.connect()
        let ends = EventLog<BusError>()
        bus.loop.wait {
          for _ in 0..<120 {
            client.value?.call(Self.wait).observe(failed: { Issue.record($0) })
          }
          client.value?.call(Self.wait, timeout: .milliseconds(20))
            .observe(succeeded: { _ in Issue.record("A reply.") }, failed: { ends.add($0) })
          let disposed = client.value?.call(Self.wait)
            .observe(succeeded: { _ in Issue.record("A reply.") }, failed: { Issue.record($0) })
          disposed?.dispose()
        }
        #expect(ends.wait(for: 1) == [.timedOut])
        answer(120, bus, player, log)
        #expect(bus.player("FailForAnother", on: client) != .none)
        // The player has seen no other call.
        #expect(log.all.count { $0 == "wait" } == 120)
      }
    }
  }

  /// The bus counts a call until the service has replied to it.
  @Test func disposedCallsCountUntilTheirReplies() async {
    await withBus { bus in
      bus.withPlayer { player, log in
        let client = bus.connect()
        let replies = EventLog<CallResult>()
        bus.loop.wait {
          for _ in 0..<150 {
            client.value?.call(Self.wait)
              .observe(succeeded: { _ in Issue.record("A reply.") }, failed: { Issue.record($0) })
              .dispose()
          }
          client.value?.call(Self.wait).observe(
            succeeded: { replies.add(CallResult($0)) }, failed: { replies.add(.error($0)) })
        }
        answer(121, bus, player, log)
        #expect(replies.wait(for: 1) == [.values("string(\"120\")")])
      }
    }
  }

  @Test func closingEndsWaitingCalls() async {
    await withBus { bus in
      bus.withPlayer { _, _ in
        let client = bus.connect()
        let ends = EventLog<BusError>()
        bus.loop.wait {
          for _ in 0..<200 { client.value?.call(Self.wait).observe(failed: { ends.add($0) }) }
          client.value?.close()
        }
        let all = ends.wait(for: 200)
        #expect(all.count == 200 && Set(all) == [.disconnected])
      }
    }
  }

  @Test func largeMessagesAreErrorsOfTheirSender() async {
    await withBus { bus in
      let (server, client) = (bus.connect(), bus.connect())
      let names = EventLog<NameState>()
      bus.loop.wait {
        var large = BusInterface("org.example.Large")
        large.method("Get") { () throws(BusError) in [UInt8](repeating: 1, count: 33 << 20) }
        server.value?.export(large, at: "/one")
        _ = server.value?.name("org.example.Large").observe(next: { names.add($0) })
      }
      names.wait(for: 1)
      let get = BusMethod("Get", of: "org.example.Large", at: "/one", from: "org.example.Large")
      let call = bus.loop.result(of: get, on: client) { writer throws(BusError) in
        try [UInt8](repeating: 1, count: 33 << 20).write(to: writer)
      }
      #expect(call == .error(.tooLarge))
      #expect(
        bus.loop.result(of: get, on: client) == .error(.limitsExceeded(BusError.tooLarge.text)))
      let isConnected = bus.loop.wait {
        if case .connected = server.value?.state.value { true } else { false }
      }
      #expect(isConnected)
    }
  }

  @Test func manySignalsAndServicesShareRules() async {
    await withBus { bus in
      let client = bus.connect()
      let numbers = EventLog<UInt32>()
      let states = EventLog<ServiceState>()
      let kept = Confined<[Disposable]>([])
      bus.loop.wait {
        guard let client = client.value else { return }
        kept.value = (0...700).map { index in
          let path = ObjectPath(index == 700 ? "/one" : "/object\(index)")
          let filter = SignalFilter(
            "Count", of: "org.example.Peer", at: path, from: "org.example.Peer")
          return client.signals(filter).observe(
            next: { signal in
              if let number = try? signal.body.value(as: UInt32.self) { numbers.add(number) }
            }, failed: { Issue.record($0) })
        }
        kept.value += (0..<700).map { index in
          client.service("org.example.Absent\(index)").observeNext { _ in }
        }
        kept.value.append(client.service("org.example.Peer").observeNext { states.add($0) })
      }
      states.wait { $0.last == .absent }
      bus.withPeer { _ in
        let emit = { @Sendable (writer: BusWriter) throws(BusError) -> Void in
          try UInt32(3).write(to: writer)
        }
        #expect(bus.loop.result(of: .peer("Emit"), on: client, writing: emit) == .values(""))
        #expect(numbers.all == [0, 1, 2])
        states.wait { $0.last?.owner != nil }
        bus.loop.wait {
          for observation in kept.value { observation.dispose() }
          kept.value = []
        }
        #expect(bus.loop.result(of: .peer("Emit"), on: client, writing: emit) == .values(""))
        #expect(numbers.count == 3)
      }
    }
  }
}
