import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct ReconnectTests {
  /// The bus is killed, and another one begins at its place.
  @Test func reconnectionRestoresAll() async {
    await withBus { bus in
      let connection = bus.connect()
      let states = EventLog<BusConnection.State>()
      let names = EventLog<NameState>()
      let services = EventLog<ServiceState>()
      let numbers = EventLog<UInt32>()
      bus.loop.wait {
        guard let connection = connection.value else { return }
        connection.state.stream.observeNext { states.add($0) }
        connection.name("org.example.Wanted").observe(next: { names.add($0) })
        connection.service("org.example.Peer").observeNext { services.add($0) }
        let filter = SignalFilter(
          "Count", of: "org.example.Peer", at: "/one", from: "org.example.Peer")
        connection.signals(filter).observe(next: { signal in
          if let number = try? signal.body.value(as: UInt32.self) { numbers.add(number) }
        })
        var object = BusInterface("org.example.Wanted")
        object.method("Add", "left", "right") { (left: Int32, right: Int32) throws(BusError) in
          left + right
        }
        connection.export(object, at: "/one")
      }
      names.wait(for: 1)
      services.wait { $0.last == .absent }
      bus.daemon.send(.kill)
      states.wait { $0.last == .lost(.disconnected) }
      #expect(services.all == [.unknown, .absent, .unknown])
      bus.withSuccessor { successor in
        bus.loop.wait { connection.value?.reconnect() }
        #expect(names.wait(for: 2) == [.owned, .owned])
        successor.withPeer { _ in
          let emit = successor.loop.result(of: .peer("Emit"), on: connection) {
            writer throws(BusError) in try UInt32(3).write(to: writer)
          }
          #expect(emit == .values(""))
          #expect(numbers.all == [0, 1, 2])
          services.wait { $0.last?.owner != nil }
        }
        let client = successor.connect()
        let add = BusMethod(
          "Add", of: "org.example.Wanted", at: "/one", from: "org.example.Wanted")
        let sum = successor.loop.result(of: add, on: client) { writer throws(BusError) in
          try Int32(40).write(to: writer)
          try Int32(2).write(to: writer)
        }
        #expect(sum == .values("int32(42)"))
      }
    }
  }

  /// An observer that connects again at once does not keep the loop from other work.
  @Test func reconnectionInsideAnObserverLetsTheLoopTurn() async {
    await withLoop { loop in
      let count = EventLog<Int>()
      let kept = Confined<BusConnection?>(nil)
      loop.wait {
        let connection = BusConnection(.bus("unix:path=/nonexistent/bus"), on: loop)
        kept.value = connection
        connection.state.stream.observeNext { [weak connection] state in
          guard case .lost = state else { return }
          count.add(count.count)
          connection?.reconnect()
        }
      }
      // The closure of the wait runs between two attempts.
      count.wait(for: 3)
      let last = loop.wait { () -> BusConnection.State? in
        kept.value?.close()
        return kept.value?.state.value
      }
      #expect(last == .closed)
      loop.wait { kept.value = nil }
    }
  }

  /// The reply of a call to the old connection does not reach the new one.
  @Test func callsOfTheLostConnectionFail() async {
    await withBus { bus in
      let connection = bus.connect()
      let log = EventLog<String>()
      bus.withPeer { peer in
        bus.loop.wait {
          connection.value?.state.stream.observeNext { state in
            guard case .lost = state else { return }
            log.add("lost")
            connection.value?.reconnect()
          }
          connection.value?.call(.peer("Never")).observe(failed: { log.add("\($0)") })
        }
        #expect(peer.readLine() == "never")
        bus.daemon.send(.kill)
        let all = log.wait(for: 2)
        #expect(all.prefix(2) == ["lost", "\(BusError.disconnected)"])
        bus.loop.wait {
          connection.value?.close()
          connection.value = nil
        }
      }
    }
  }
}
