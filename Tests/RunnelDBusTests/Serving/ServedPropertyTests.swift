import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct ServedPropertyTests {
  private static let properties = "org.freedesktop.DBus.Properties"

  // MARK: - Properties and signals

  @Test func propertiesAreReadAndWritten() async {
    await withPlayerClient { bus, client, player, _ in
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
    await withPlayerClient { bus, client, player, _ in
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
    await withPlayerClient { bus, client, player, _ in
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
    await withPlayerClient { bus, client, player, _ in
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
}
