import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct ExportTests {
  private static let properties = "org.freedesktop.DBus.Properties"

  // MARK: - Methods

  @Test func methodsReply() async {
    await withPlayerClient { bus, client, _, log in
      #expect(bus.player("Add", on: client, .int32(40), .int32(2)) == .values("int32(42)"))
      #expect(bus.player("Note", on: client, .uint32(7)) == .values(""))
      #expect(log.all == ["7"])
      let name = bus.loop.wait { () -> String? in
        if case .connected(let name) = client.value?.state.value { name } else { nil }
      }
      #expect(bus.player("Who", on: client) == .values("string(\"\(name ?? "")\")"))
    }
  }

  @Test func errorsOfHandlersAreReplies() async {
    await withPlayerClient { bus, client, _, _ in
      #expect(
        bus.player("Add", on: client, .int32(.max), .int32(1))
          == .error(.invalidArguments("The sum is too large.")))
      #expect(
        bus.player("Fail", on: client) == .error(.other(name: "org.example.Full", text: "no room")))
      #expect(bus.player("FailWrongly", on: client) == .error(.failed("text")))
      // The player is present, and reports that another service is not.
      let method = BusMethod(
        "FailForAnother", of: "org.example.Player", at: "/one", from: "org.example.Player")
      #expect(
        bus.loop.result(of: method, startsService: false, on: client)
          == .error(.serviceUnknown("The service of the player is unknown.")))
      if case .error(.invalidArguments) = bus.player("Lie", on: client) {
      } else {
        Issue.record("A reply of another type.")
      }
    }
  }

  @Test func wrongCallsAreRefused() async {
    await withPlayerClient { bus, client, _, log in
      func error(_ result: CallResult) -> String? {
        if case .error(let error) = result {
          error.name.split(separator: ".").last.map(String.init)
        } else {
          nil
        }
      }
      #expect(error(bus.player("None", on: client)) == "UnknownMethod")
      #expect(error(bus.player("Add", on: client, .int32(1))) == "InvalidArgs")
      #expect(error(bus.player("Note", on: client, .string("7"))) == "InvalidArgs")
      #expect(error(bus.player("Add", of: "org.example.None", on: client)) == "UnknownInterface")
      #expect(error(bus.player("Add", at: "/none", on: client)) == "UnknownObject")
      let properties = Self.properties
      #expect(error(bus.player("Get", of: properties, on: client, .int32(1))) == "InvalidArgs")
      #expect(error(bus.player("Grow", of: properties, on: client)) == "UnknownMethod")
      #expect(log.all == [])
    }
  }

  @Test func callsOfAClientKeepTheirOrder() async {
    await withPlayerClient(allowing: { _ in true }) { bus, client, _, log in
      let replies = EventLog<UInt32>()
      bus.loop.wait {
        let note = BusMethod(
          "Note", of: "org.example.Player", at: "/one", from: "org.example.Player")
        for number in UInt32(0)..<300 {
          client.value?.call(note, with: number).observe(
            succeeded: { _ in replies.add(number) }, failed: { Issue.record($0) })
        }
      }
      let expected = Array(UInt32(0)..<300)
      #expect(replies.wait(for: 300) == expected)
      let notes = expected.map { "\($0)" }
      #expect(log.all == notes)
    }
  }

  /// The calls to the object with a policy wait for the credentials of the client.
  @Test func callsToSeveralObjectsKeepTheirOrder() async {
    await withBus { bus in
      bus.withPlayer { _, log in
        let server = bus.connect()
        let client = bus.connect()
        bus.loop.wait {
          var note = BusInterface("org.example.Note")
          note.method("Note", "number") { (number: UInt32) throws(BusError) in
            log.add("\(number)")
          }
          server.value?.export(note, at: "/a") { _ in true }
          server.value?.export(note, at: "/b")
        }
        let names = EventLog<NameState>()
        let replies = EventLog<UInt32>()
        bus.loop.wait {
          _ = server.value?.name("org.example.Note").observe(next: { names.add($0) })
        }
        names.wait(for: 1)
        bus.loop.wait {
          for number in UInt32(0)..<20 {
            let method = BusMethod(
              "Note", of: "org.example.Note", at: number.isMultiple(of: 2) ? "/a" : "/b",
              from: "org.example.Note")
            client.value?.call(method, with: number).observe(
              succeeded: { _ in replies.add(number) }, failed: { Issue.record($0) })
          }
        }
        replies.wait(for: 20)
        let expected = (0..<20).map { "\($0)" }
        #expect(log.all == expected)
      }
    }
  }

  @Test func laterReplyDoesNotDelayOthers() async {
    await withPlayerClient { bus, client, player, log in
      let results = EventLog<String>()
      bus.loop.wait {
        let wait = BusMethod(
          "Wait", of: "org.example.Player", at: "/one", from: "org.example.Player")
        for _ in 0..<2 {
          client.value?.call(wait).observe(
            succeeded: { results.add((try? $0.value(as: String.self)) ?? "") },
            failed: { results.add("\($0)") })
        }
      }
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
      #expect(log.all == ["wait", "wait", "1"])
      bus.loop.wait {
        player.value?.waiting[1](.success("second"))
        player.value?.waiting[0](.failure(.failed("first")))
      }
      #expect(results.wait(for: 2) == ["second", "first"])
    }
  }

  @Test func deathOfTheCallerDisposesReplies() async {
    await withBus { bus in
      bus.withPlayer { player, log in
        let command = [
          "/usr/bin/dbus-send", "--bus=\(bus.address)", "--print-reply", "--reply-timeout=100000",
          "--dest=org.example.Player", "/one", "org.example.Player.Wait",
        ]
        withProcessHere(untilParentEnds + command) { caller in
          log.wait(for: 1)
          kill(caller.process, SIGKILL)
          #expect(log.wait(for: 2) == ["wait", "disposed"])
        }
      }
    }
  }

  /// A bus of the system allows fewer calls, so the client is a peer without a bus.
  @Test func unansweredCallsAreLimited() async {
    await withLoop { loop in
      let pair = SocketPair()
      let log = EventLog<String>()
      let results = EventLog<BusError>()
      let player = Confined<PlayerObject?>(nil)
      let kept = Confined<[BusConnection]>([])
      loop.wait {
        let sockets = [pair.near, pair.far].compactMap { BusDescriptor(duplicating: $0) }
        let server = BusConnection(.acceptedSocket(sockets[0]), on: loop)
        let client = BusConnection(.peerSocket(sockets[1]), on: loop)
        kept.value = [server, client]
        let object = PlayerObject(log)
        player.value = object
        server.export(object.interface, at: "/one")
        let wait = BusMethod("Wait", of: "org.example.Player", at: "/one", from: nil)
        for _ in 0..<BusLimits.unansweredCalls + 2 {
          client.call(wait).observe(failed: { results.add($0) })
        }
      }
      for error in results.wait(for: 2) {
        guard case .limitsExceeded = error else {
          Issue.record("\(error)")
          continue
        }
      }
      #expect(log.count == BusLimits.unansweredCalls)
      loop.wait {
        kept.value = []
        player.value = nil
      }
    }
  }

  // MARK: - Without a bus

  @Test func peersServeEachOther() async {
    await withLoop { loop in
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      let sockets = ends.map { BusDescriptor(owning: $0) }
      let log = EventLog<String>()
      let kept = Confined<[BusConnection]>([])
      let player = Confined<PlayerObject?>(nil)
      loop.execute {
        let object = PlayerObject(log)
        player.value = object
        let server = BusConnection(.acceptedSocket(sockets[0]), on: loop)
        let client = BusConnection(.peerSocket(sockets[1]), on: loop)
        kept.value = [server, client]
        _ = server.export(object.interface, at: "/one") { call in
          log.add("\(call.caller.user == getuid()) \(call.caller.process == UInt32(getpid()))")
          return true
        }
        let add = BusMethod("Add", of: "org.example.Player", at: "/one", from: nil)
        client.call(add, with: Int32(1), Int32(2)).observe(
          succeeded: { log.add("\((try? $0.value(as: Int32.self)) ?? 0)") },
          failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 2) == ["true true", "3"])
      loop.wait {
        kept.value = []
        player.value = nil
      }
    }
  }

  @Test func endOfAnExportEndsTheObject() async {
    await withBus { bus in
      let client = bus.connect()
      bus.withPlayer { _, _ in
        #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
      }
      if case .error(.serviceUnknown) = bus.player("Note", on: client, .uint32(1)) {
      } else {
        Issue.record("The service has not gone.")
      }
      bus.loop.wait { client.value = nil }
    }
  }

  @Test func servedClientsDoNotRetainTheConnection() async {
    await withBus { bus in
      let log = EventLog<String>()
      let server = bus.connect()
      let player = Confined<PlayerObject?>(nil)
      let client = bus.connect()
      bus.loop.wait {
        player.value = PlayerObject(log)
        if let player = player.value {
          _ = server.value?.export(player.interface, at: "/one") { _ in true }
        }
      }
      let names = EventLog<NameState>()
      let name = bus.loop.wait {
        Confined(server.value?.name("org.example.Player").observe(next: { names.add($0) }))
      }
      names.wait(for: 1)
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
      bus.loop.wait {
        let wait = BusMethod(
          "Wait", of: "org.example.Player", at: "/one", from: "org.example.Player")
        _ = client.value?.call(wait).observe(failed: { log.add("\($0)") })
      }
      log.wait(for: 2)
      let isReleased = bus.loop.wait { () -> Bool in
        name.value?.dispose()
        weak let connection = server.value
        server.value = nil
        return connection == nil
      }
      #expect(isReleased)
      // The waiting answer is disposed with the connection. The client hears of its end.
      let all = log.wait { $0.contains("disposed") }
      #expect(all.contains("disposed"))
      bus.loop.wait {
        client.value?.close()
        client.value = nil
        player.value = nil
      }
    }
  }
}
