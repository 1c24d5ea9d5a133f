import Glibc
import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct SignalTests {
  /// Adds the numbers of the signal `Count` to a log.
  private func observe(
    _ bus: PrivateBus, _ connection: Confined<BusConnection?>, at path: ObjectPath?,
    from service: String?, _ log: EventLog<UInt32>
  ) -> Confined<Disposable?> {
    bus.loop.wait {
      let filter = SignalFilter("Count", of: "org.example.Peer", at: path, from: service)
      return Confined(
        connection.value?.signals(filter).observe(next: { signal in
          if let number = try? signal.body.value(as: UInt32.self) { log.add(number) }
        }))
    }
  }

  private func emit(
    _ count: UInt32, at path: ObjectPath = "/one", from service: String = "org.example.Peer",
    _ bus: PrivateBus, _ connection: Confined<BusConnection?>
  ) {
    let method = BusMethod("Emit", of: "org.example.Peer", at: path, from: service)
    let result = bus.loop.result(of: method, startsService: false, on: connection) {
      writer throws(BusError) in try count.write(to: writer)
    }
    #expect(result == .values(""))
  }

  @Test func signalsArriveBeforeTheReply() async {
    await withBus { bus in
      bus.withPeer { _ in
        let connection = bus.connect()
        let log = EventLog<UInt32>()
        let observation = observe(bus, connection, at: "/one", from: "org.example.Peer", log)
        emit(100, bus, connection)
        #expect(log.all == Array(0..<100))
        bus.loop.wait {
          observation.value?.dispose()
          connection.value = nil
        }
      }
    }
  }

  @Test func onlySignalsOfTheFilterArrive() async {
    await withBus { bus in
      bus.withPeer { _ in
        bus.withPeer("org.example.Other") { _ in
          let connection = bus.connect()
          let one = EventLog<UInt32>()
          let all = EventLog<UInt32>()
          let observations = [
            observe(bus, connection, at: "/one", from: "org.example.Peer", one),
            observe(bus, connection, at: nil, from: nil, all),
          ]
          emit(1, at: "/two", bus, connection)
          emit(2, from: "org.example.Other", bus, connection)
          emit(3, bus, connection)
          #expect(one.all == [0, 1, 2])
          #expect(all.all == [0, 0, 1, 0, 1, 2])
          bus.loop.wait { observations[1].value?.dispose() }
          emit(1, bus, connection)
          #expect(one.count == 4 && all.count == 6)
          bus.loop.wait {
            observations[0].value?.dispose()
            connection.value = nil
          }
        }
      }
    }
  }

  @Test func restartOfTheServiceLosesNoLaterSignal() async {
    await withBus { bus in
      let connection = bus.connect()
      let log = EventLog<UInt32>()
      let states = EventLog<ServiceState>()
      let observation = observe(bus, connection, at: "/one", from: "org.example.Peer", log)
      let following = bus.loop.wait {
        Confined(connection.value?.service("org.example.Peer").observeNext { states.add($0) })
      }
      states.wait { $0.last == .absent }
      for round in 1...3 {
        bus.withPeer { peer in
          emit(5, bus, connection)
          #expect(log.count == 5 * round)
          kill(peer.process, SIGKILL)
          states.wait { all in all.count { $0 == .absent } == round + 1 }
        }
      }
      let owners = states.all.compactMap(\.owner)
      #expect(Set(owners).count == 3 && owners.count == 3)
      #expect(!states.all.contains(.starting))
      bus.loop.wait {
        observation.value?.dispose()
        following.value?.dispose()
        connection.value = nil
      }
    }
  }

  @Test func callMakesAnAbsentServiceStart() async {
    await withBus { bus in
      let connection = bus.connect()
      let states = EventLog<ServiceState>()
      let none = BusMethod("Call", of: "org.example.None", at: "/", from: "org.example.None")
      bus.loop.wait {
        _ = connection.value?.service("org.example.None").observeNext { states.add($0) }
      }
      states.wait { $0.last == .absent }
      bus.loop.wait {
        // The first ends before the bus answers the second.
        let first = connection.value?.call(none).observe(failed: { Issue.record($0) })
        let second = connection.value?.call(none).observe(failed: { Issue.record($0) })
        #expect(states.all.last == .starting)
        first?.dispose()
        #expect(states.all.last == .starting)
        second?.dispose()
      }
      #expect(states.all == [.unknown, .absent, .starting, .absent])
      if case .error(.serviceUnknown) = bus.loop.result(of: none, on: connection) {
      } else {
        Issue.record("The service is known.")
      }
      #expect(states.all.suffix(2) == [.starting, .absent])
      #expect(
        bus.loop.result(of: none, startsService: false, on: connection)
          == .error(.serviceAbsent("org.example.None")))
      #expect(states.count == 6)
    }
  }

  @Test func callStartsAServiceOfTheBus() async {
    await withBus { bus in
      let connection = bus.connect()
      let states = EventLog<ServiceState>()
      func call(_ name: String, startsService: Bool = true) -> CallResult {
        let method = BusMethod(
          name, of: "org.example.Peer", at: "/one", from: "org.example.Started")
        return bus.loop.result(of: method, startsService: startsService, on: connection) {
          writer throws(BusError) in if name == "Emit" { try UInt32(0).write(to: writer) }
        }
      }
      bus.loop.wait {
        _ = connection.value?.service("org.example.Started").observeNext { states.add($0) }
      }
      states.wait { $0.last == .absent }
      #expect(call("Emit", startsService: false) == .error(.serviceAbsent("org.example.Started")))
      #expect(call("Emit") == .values(""))
      let all = states.all
      #expect(all.count == 4 && all[2] == .starting && all.last?.owner != nil)
      if case .error(.noReply) = call("Die") {} else { Issue.record("The service does not end.") }
      states.wait { $0.last == .absent }
    }
  }

  @Test func disposalInsideASignalEndsIt() async {
    await withBus { bus in
      bus.withPeer { _ in
        let connection = bus.connect()
        let log = EventLog<UInt32>()
        bus.loop.wait {
          let filter = SignalFilter("Count", of: "org.example.Peer", from: "org.example.Peer")
          let observation = SerialDisposable()
          observation.current =
            connection.value?.signals(filter).observe(next: { _ in
              log.add(1)
              observation.dispose()
            })
        }
        emit(10, bus, connection)
        #expect(log.count == 1)
        bus.loop.wait { connection.value = nil }
      }
    }
  }

  @Test func peersTalkWithoutABus() async {
    await withLoop { loop in
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      let sockets = ends.map { BusDescriptor(owning: $0) }
      let log = EventLog<String>()
      let kept = Confined<[BusConnection]>([])
      loop.execute {
        let server = BusConnection(.acceptedSocket(sockets[0]), on: loop)
        let client = BusConnection(.peerSocket(sockets[1]), on: loop)
        kept.value = [server, client]
        let filter = SignalFilter("Hello", of: "org.example.Peer", at: "/one")
        server.signals(filter).observe(
          next: { signal in
            log.add((try? signal.body.value(as: String.self)) ?? "wrong type")
            server.close()
          }, failed: { log.add("\($0)") })
        let ping = BusMethod("Ping", of: "org.freedesktop.DBus.Peer", at: "/", from: nil)
        client.call(ping).observe(
          succeeded: { body in
            log.add("pong \(body.signature.text)")
            try? client.send("Hello", of: "org.example.Peer", at: "/one") {
              writer throws(BusError) in try "from the client".write(to: writer)
            }
          }, failed: { log.add("\($0)") })
        client.state.stream.observeNext { state in
          if case .lost(let error) = state { log.add("\(error)") }
        }
      }
      #expect(log.wait(for: 3) == ["pong ", "from the client", "\(BusError.disconnected)"])
      loop.wait { kept.value = [] }
    }
  }
}
