import Glibc
import RunnelBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DBusTransportTests {
  @Test func theRulesOfTransportsHold() async {
    await withBus { bus in
      let violations = EventLog<[String]>()
      let actor = LoopActor(bus.loop)
      Task { violations.add(await actor.violations(on: bus)) }
      #expect(violations.wait(for: 1).first == [])
    }
  }

  /// Three programs, of which each pair has a link of its own.
  @Test func eventsCrossARingOnce() async {
    await withBus { bus in
      let logs = (0..<3).map { _ in EventLog<String>() }
      let states = EventLog<String>()
      let programs = Confined<[EventProgram]>([])
      bus.loop.wait {
        let fixture = DBusFixture(bus)
        do {
          let made = try logs.map { try EventProgram($0) }
          let transports = made.map { _ in fixture.makeTransport() }
          for number in 0..<3 {
            try made[number].join(transports[number], "ring.\(number)", states: states)
            try made[number].join(transports[number], "ring.\((number + 1) % 3)", states: states)
          }
          programs.value = made
        } catch {
          Issue.record(error)
        }
      }
      #expect(Set(states.wait(for: 6)).count == 6)
      bus.loop.wait {
        for (number, program) in programs.value.enumerated() {
          for index in 0..<20 { try? program.events.publish(index, on: "from.\(number)") }
        }
      }
      let expected = Set((0..<3).flatMap { program in (0..<20).map { "from.\(program) \($0)" } })
      for log in logs { #expect(Set(log.wait(for: 60)) == expected) }
      // Copies of the first events have arrived when a later event has passed all links.
      bus.loop.wait {
        for program in programs.value { try? program.events.publish("end", on: "end") }
      }
      for log in logs {
        #expect(log.wait(for: 63).count == 63)
      }
      bus.loop.wait {
        for program in programs.value { program.leave() }
        programs.value = []
      }
    }
  }

  /// A program without Runnel sends signals of the right form and of others.
  @Test func signalsOfOtherProgramsAreEvents() async {
    await withBus { bus in
      let seen = EventLog<String>()
      let states = EventLog<String>()
      let program = Confined<EventProgram?>(nil)
      bus.loop.wait {
        do {
          let made = try EventProgram(seen)
          try made.join(DBusFixture(bus).makeTransport(), "shop", states: states)
          program.value = made
        } catch {
          Issue.record(error)
        }
      }
      states.wait(for: 1)
      let other = bus.connect()
      bus.loop.wait {
        func send(_ values: any BusValue...) {
          try? other.value?.send("Event", of: "org.runnel.EventBus", at: "/org/runnel/EventBus") {
            writer throws(BusError) in
            for value in values { try value.write(to: writer) }
          }
        }
        send("shop.a")
        send("shop.a", "1", "")
        send("shop.*", Array("1".utf8), "")
        send("shop..a", Array("1".utf8), "")
        send("shopping.a", Array("1".utf8), "")
        send("shop.a", Array("2".utf8), "no stamp")
        send("shop.b", Array("3".utf8), "")
      }
      #expect(seen.wait(for: 2) == ["a 2", "b 3"])
      bus.loop.wait {
        program.value?.leave()
        program.value = nil
        other.value = nil
      }
    }
  }

  @Test func topicsThatCannotCrossAreRefused() async {
    await withBus { bus in
      bus.loop.wait {
        let transport = DBusFixture(bus).makeTransport()
        let events = EventBus(coder: .json)
        do {
          let link = try events.join(transport, exporting: ["#"])
          #expect(
            throws: TopicError.unmappable(
              topic: "a\0b", transport: transport.name,
              reason: "It has a character with the code zero.")
          ) { try events.publish(1, on: "a\0b") }
          #expect(throws: TopicError.notRetained(topic: "a", transport: transport.name)) {
            try events.publish(1, on: "a", sticky: true)
          }
          #expect(throws: JoinError.self) {
            try events.join(transport, prefix: "a\0", importing: ["#"])
          }
          link.dispose()
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  /// The receiver is behind by more than the limit.
  @Test func tooManyWaitingEventsAreALoss() async {
    await withBus { bus in
      let log = EventLog<String>()
      let parts = Confined<(sender: DBusTransport, receiver: TransportReceiver, Disposable)?>(nil)
      bus.loop.wait {
        let fixture = DBusFixture(bus)
        let (sender, slow) = (fixture.makeTransport(), fixture.makeTransport())
        slow.waitingBytesLimit = 5_000
        let receiver = TransportReceiver(
          confirmed: { log.add("confirmed") },
          message: { log.add("message of \($0.payload.count)") })
        let connections = Disposable()
        for transport in [sender, slow] { connections.add(transport.connect()) }
        connections.add(slow.subscribe(to: [TransportPattern("a")], receiver))
        sender.state.observeNext { if $0 == .online { log.add("sender") } }
        slow.state.observeNext { state in
          if case .offline(_, .overloaded) = state { log.add("overloaded") }
        }
        parts.value = (sender, receiver, connections)
      }
      log.wait { $0.contains("confirmed") && $0.contains("sender") }
      bus.loop.wait {
        guard let (sender, receiver, _) = parts.value else { return }
        receiver.pause()
        for _ in 0..<3 {
          sender.send(TransportMessage(topic: "a", payload: Array(repeating: 1, count: 2_000))) {
            _ in
          }
        }
      }
      #expect(log.wait(for: 4)[2...] == ["overloaded", "confirmed"])
      bus.loop.wait {
        guard let (sender, receiver, _) = parts.value else { return }
        receiver.resume()
        sender.send(TransportMessage(topic: "a", payload: [2])) { _ in }
      }
      #expect(log.wait(for: 5)[4...] == ["message of 1"])
      bus.loop.wait {
        parts.value?.2.dispose()
        parts.value = nil
      }
    }
  }

  /// The bus reads nothing, and is killed while messages wait for room in the socket.
  @Test func messagesThatWereNotWrittenFail() async {
    await withBus { bus in
      let log = EventLog<String>()
      let parts = Confined<(sender: DBusTransport, Disposable)?>(nil)
      bus.loop.wait {
        let sender = DBusFixture(bus).makeTransport()
        sender.state.observeNext { if $0 == .online { log.add("online") } }
        parts.value = (sender, sender.connect())
      }
      log.wait(for: 1)
      bus.daemon.send(Signal(rawValue: SIGSTOP))
      let unwritten = bus.loop.wait {
        guard let sender = parts.value?.sender else { return 0 }
        let message = TransportMessage(topic: "a", payload: Array(repeating: 1, count: 10_000))
        while sender.bus.acceptedCount - sender.bus.writtenCount < 10 {
          sender.send(message) { result in
            switch result {
            case .success: log.add("sent")
            case .failure(.unreachable): log.add("unreachable")
            case .failure(let error): log.add("\(error)")
            }
          }
        }
        return sender.bus.acceptedCount - sender.bus.writtenCount
      }
      let sent = log.all.count { $0 == "sent" }
      bus.daemon.send(Signal(rawValue: SIGKILL))
      let ends = log.wait(for: 1 + sent + unwritten)
      #expect(Array(ends[(1 + sent)...]) == Array(repeating: "unreachable", count: unwritten))
      bus.loop.wait {
        parts.value?.1.dispose()
        parts.value = nil
      }
    }
  }
}
