import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct ExportTests {
  private static let properties = "org.freedesktop.DBus.Properties"

  private func withClient(
    allowing policy: (@Sendable (BusCall) -> Bool)? = nil,
    _ body:
      @escaping @Sendable (
        PrivateBus, Confined<BusConnection?>, Confined<PlayerObject?>, EventLog<String>
      ) -> Void
  ) async {
    await withBus { bus in
      bus.withPlayer(allowing: policy) { player, log in
        let client = bus.connect()
        body(bus, client, player, log)
        bus.loop.wait {
          client.value?.close()
          client.value = nil
        }
      }
    }
  }

  // MARK: - Methods

  @Test func methodsReply() async {
    await withClient { bus, client, _, log in
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
    await withClient { bus, client, _, _ in
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
    await withClient { bus, client, _, log in
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
    await withClient(allowing: { _ in true }) { bus, client, _, log in
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
    await withClient { bus, client, player, log in
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
        withProcessHere(PrivateBus.untilParentEnds + command) { caller in
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

  // MARK: - Policies

  @Test func policyKnowsTheCaller() async {
    let seen = EventLog<BusCaller>()
    await withClient(allowing: { call in
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

  // MARK: - Properties and signals

  @Test func propertiesAreReadAndWritten() async {
    await withClient { bus, client, player, _ in
      func access(_ method: String, _ values: Variant.Content...) -> CallResult {
        let method = BusMethod(
          method, of: Self.properties, at: "/one", from: "org.example.Player")
        return bus.loop.result(of: method, on: client) { writer throws(BusError) in
          try writer.write(.string("org.example.Player"))
          for value in values { try writer.write(value) }
        }
      }
      func value(_ name: String) -> CallResult { access("Get", .string(name)) }
      func set(_ name: String, _ value: Variant) -> CallResult {
        access("Set", .string(name), .variant(value))
      }
      #expect(value("Volume") == .values("\(Variant.Content.variant(Variant(0.5)))"))
      #expect(value("Version") == .values("\(Variant.Content.variant(Variant("1.0")))"))
      #expect(set("Volume", Variant(0.75)) == .values(""))
      let volume = bus.loop.wait { player.value?.volume.value }
      #expect(volume == 0.75)
      #expect(
        set("Title", Variant("")) == .error(.invalidArguments("The title is empty.")))
      guard case .error(.invalidArguments) = set("Volume", Variant("loud")),
        case .error(.readOnlyProperty) = set("Length", Variant(UInt32(1))),
        case .error(.unknownProperty) = value("None"),
        case .error(.unknownProperty) = set("None", Variant(true)),
        case .values(let all) = access("GetAll")
      else {
        Issue.record("A wrong access.")
        return
      }
      for name in ["Volume", "Title", "Length", "Version"] { #expect(all.contains(name)) }
    }
  }

  @Test func changesAreAnnouncedOnceBeforeASignal() async {
    await withClient { bus, client, player, _ in
      let changes = EventLog<String>()
      bus.loop.wait {
        let filter = SignalFilter("PropertiesChanged", of: Self.properties, at: "/one")
        client.value?.signals(filter).observe(next: { signal in
          changes.add((try? signal.body.contents()).map { "\($0)" } ?? "")
        })
        let moved = SignalFilter("Moved", of: "org.example.Player", from: "org.example.Player")
        client.value?.signals(moved).observe(next: { signal in
          changes.add("moved \((try? signal.body.value(as: Int64.self)) ?? 0)")
        })
      }
      // The owner of the name is known to the client.
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
      bus.loop.wait {
        player.value?.volume.value = 0.1
        player.value?.volume.value = 0.2
        player.value?.title.value = "Dune"
        player.value?.moved.next(5)
      }
      let all = changes.wait(for: 2)
      #expect(all.count == 2 && all[1] == "moved 5")
      #expect(all[0].contains("double(0.2)") && all[0].contains("Title"))
      #expect(!all[0].contains("0.1") && !all[0].contains("Dune") && !all[0].contains("Length"))
    }
  }

  /// A client that has the reply to a call knows the changes that the call has made.
  @Test func changesAreAnnouncedBeforeTheReply() async {
    await withClient { bus, client, player, _ in
      let log = EventLog<String>()
      bus.loop.wait {
        let filter = SignalFilter("PropertiesChanged", of: Self.properties, at: "/one")
        client.value?.signals(filter).observe(next: { _ in log.add("changed") })
        let set = BusMethod(
          "Set", of: Self.properties, at: "/one", from: "org.example.Player")
        client.value?.call(set, with: "org.example.Player", "Volume", Variant(0.25)).observe(
          succeeded: { _ in log.add("reply") }, failed: { Issue.record($0) })
      }
      #expect(log.wait(for: 2) == ["changed", "reply"])
    }
  }

  @Test func signalInsideAMutationAnnouncesEarlierChanges() async {
    await withClient { bus, client, player, _ in
      let log = EventLog<String>()
      bus.loop.wait {
        let filter = SignalFilter("PropertiesChanged", of: Self.properties, at: "/one")
        client.value?.signals(filter).observe(next: { signal in
          let values = try? signal.body.values(
            as: String.self, [String: Variant].self, [String].self)
          log.add("\(values?.1["Volume"]?[Double.self] ?? -1)")
        })
      }
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
      bus.loop.wait {
        guard let player = player.value else { return }
        player.volume.value = 0.1
        player.volume.mutate { volume in
          volume = 0.2
          player.moved.next(1)
        }
      }
      #expect(log.wait(for: 2) == ["0.1", "0.2"])
    }
  }

  // MARK: - Descriptors

  /// A descriptor crosses the bus in both directions.
  @Test func descriptorsCrossTheBus() async {
    await withBus { bus in
      let server = bus.connect()
      let client = bus.connect()
      let names = EventLog<NameState>()
      let log = EventLog<String>()
      bus.loop.wait {
        var files = BusInterface("org.example.Files")
        files.method("Return", "file") { (file: BusDescriptor) throws(BusError) in
          write(file.number, "server ", 7)
          return file
        }
        server.value?.export(files, at: "/files")
        _ = server.value?.name("org.example.Files").observe(next: { names.add($0) })
      }
      names.wait(for: 1)
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      let sent = BusDescriptor(owning: ends[1])
      bus.loop.wait {
        let method = BusMethod(
          "Return", of: "org.example.Files", at: "/files", from: "org.example.Files")
        client.value?.call(method, with: sent).observe(
          succeeded: { body in
            guard let file = try? body.value(as: BusDescriptor.self) else { return }
            #expect(file.number != sent.number)
            write(file.number, "client", 6)
            log.add("received")
          }, failed: { Issue.record($0) })
      }
      #expect(log.wait(for: 1) == ["received"])
      var bytes = [UInt8](repeating: 0, count: 20)
      let count = recv(ends[0], &bytes, bytes.count, Int32(MSG_DONTWAIT))
      #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "server client")
      close(ends[0])
    }
  }

  // MARK: - Standard interfaces

  @Test func everyPathAnswersThePeerInterface() async {
    await withClient { bus, client, _, _ in
      let peer = "org.freedesktop.DBus.Peer"
      #expect(bus.player("Ping", of: peer, at: "/any", on: client) == .values(""))
      if case .error(.unknownMethod) = bus.player("None", of: peer, on: client) {
      } else {
        Issue.record("An unknown method.")
      }
      switch bus.player("GetMachineId", of: peer, on: client) {
      case .values(let text): #expect(text.hasPrefix("string("))
      // A machine without an identifier answers, and keeps the connection.
      case .error(let error): #expect(error == .failed("The machine has no identifier."))
      case .none: break
      }
      #expect(bus.player("Note", on: client, .uint32(1)) == .values(""))
    }
  }

  @Test func interfacesWithOneNameTrap() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let loop = EventLoop(name: "test")
      loop.wait {
        let bus = BusConnection(.bus("unix:path=/nonexistent/bus"), on: loop)
        bus.export(BusInterface("org.example.A"), BusInterface("org.example.A"), at: "/one")
      }
    }
    let says = result.says("two interfaces of one name")
    #expect(says)
  }

  // MARK: - Introspection

  @Test func objectsAreDescribed() async {
    await withBus { bus in
      bus.withPlayer { _, _ in
        let text = output(
          "/usr/bin/gdbus", "introspect", "--address", bus.address, "--dest",
          "org.example.Player", "--object-path", "/one")
        for part in [
          "Add(in  i left,", "in  i right,", "out i sum);", "Moved(x position);",
          "readwrite d Volume = 0.5;", "readonly s Version = '1.0';",
        ] { #expect(text.contains(part), "\(text)") }
        let root = output(
          "/usr/bin/gdbus", "introspect", "--address", bus.address, "--dest",
          "org.example.Player", "--object-path", "/")
        #expect(root.contains("node one {"))
        let sum = output(
          "/usr/bin/gdbus", "call", "--address", bus.address, "--dest", "org.example.Player",
          "--object-path", "/one", "--method", "org.example.Player.Add", "40", "2")
        #expect(sum == "(42,)")
      }
    }
  }

  @Test func descriptionIsXML() {
    var interface = BusInterface("org.example.Player")
    interface.method("Play", "title") { (_: String) throws(BusError) in }
    interface.constant("Version", "1.0")
    let text = Introspection.describe([interface], children: ["one"])
    #expect(
      text.contains(
        """
         <interface name="org.example.Player">
          <method name="Play">
           <arg name="title" type="s" direction="in"/>
          </method>
          <property name="Version" type="s" access="read">
           <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
          </property>
         </interface>
         <node name="one"/>
        </node>
        """))
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
