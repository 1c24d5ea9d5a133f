import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelNet

@Suite struct ResolverTests {
  private typealias Addresses = Resolver.Addresses

  /// Look-ups that end when the test says so.
  private final class Gate: Sendable {
    let begun = EventLog<String>()
    private let open = Monitor(Set<String>())

    func release(_ name: String) {
      open.withLock { _ = $0.insert(name) }
    }

    /// Waits until the name is released. `bad` fails, and `nobody` has no address.
    func lookUp(_ name: String) -> Resolver.Addresses {
      begun.add(name)
      _ = open.wait { $0.contains(name) ? true : nil }
      switch name {
      case "bad": return .failure(.resolution("try again"))
      case "nobody": return .success([])
      default: return .success([.loopback])
      }
    }
  }

  @Test("A name is looked up once for all that wait for it, and then again")
  func sharesLookUps() async {
    let gate = Gate()
    let resolver = Resolver(maximum: 8) { gate.lookUp($0) }
    await withLoop { loop in
      let log = EventLog<String>()
      for name in ["a", "a", "bad", "bad", "nobody", "a"] {
        loop.execute {
          resolver.addresses(of: name).observe(
            next: { log.add("\(name) \($0.count)") }, failed: { log.add("\(name) \($0)") })
        }
      }
      #expect(gate.begun.wait(for: 3).sorted() == ["a", "bad", "nobody"])
      for name in ["a", "bad", "nobody"] { gate.release(name) }
      let failure = "bad \(SocketError.Cause.resolution("try again"))"
      #expect(log.wait(for: 6).sorted() == ["a 1", "a 1", "a 1", failure, failure, "nobody 0"])
      loop.execute {
        resolver.addresses(of: "a").observe(next: { _ in log.add("again") }, failed: { _ in })
      }
      #expect(log.wait(for: 7).last == "again")
      #expect(gate.begun.all.count == 4)
    }
  }

  @Test("Names wait for a thread, and those that nobody waits for any more get none")
  func cancelledNamesGetNoThread() async {
    let gate = Gate()
    let resolver = Resolver(maximum: 2) { gate.lookUp($0) }
    await withLoop { loop in
      let log = EventLog<String>()
      let bag = Confined<[Disposable]>([])
      for name in ["dead1", "dead2", "dropped1", "dropped2", "live"] {
        loop.execute {
          bag.value.append(
            resolver.addresses(of: name).observe(next: { _ in log.add(name) }, failed: { _ in }))
        }
      }
      #expect(gate.begun.wait(for: 2).sorted() == ["dead1", "dead2"])
      loop.wait { for place in [0, 2, 3] { bag.value[place].dispose() } }
      gate.release("live")
      gate.release("dead1")
      #expect(log.wait(for: 1) == ["live"])
      #expect(gate.begun.all.sorted() == ["dead1", "dead2", "live"])
      gate.release("dead2")
      #expect(log.wait(for: 2) == ["live", "dead2"])
      loop.wait { bag.value = [] }
    }
  }

  @Test("A thousand look-ups that hang do not delay another one")
  func deadNamesDoNotDelay() async {
    let gate = Gate()
    let resolver = Resolver(maximum: 1_100) { gate.lookUp($0) }
    await withLoop { loop in
      let log = EventLog<String>()
      let names = (0..<1_000).map { "dead\($0)" }
      loop.execute {
        for name in names {
          resolver.addresses(of: name).observe(next: { _ in log.add(name) }, failed: { _ in })
        }
        resolver.addresses(of: "live").observe(next: { _ in log.add("live") }, failed: { _ in })
      }
      gate.release("live")
      #expect(log.wait(for: 1) == ["live"])
      for name in names { gate.release(name) }
      #expect(log.wait(for: 1_001).count == 1_001)
    }
  }

  // MARK: - The file of hosts

  @Test func readsHosts() throws {
    let text = """
      # 10.0.0.9 comment
      127.0.0.1 localhost
      \t192.0.2.1\tTower.example.org   tower # 10.0.0.8 tower
      2001:db8::1 tower\r
      192.0.2.1 tower
      nonsense tower
      192.0.2.2 towers
      192.0.2.3
      """
    let addresses = HostsFile.addresses(of: "tower", inText: Array(text.utf8))
    #expect(addresses.map { "\($0)" } == ["192.0.2.1", "2001:db8::1"])
    for name in ["TOWER.EXAMPLE.ORG", "tower.example.org"] {
      #expect(HostsFile.addresses(of: name, inText: Array(text.utf8)).count == 1)
    }
    for name in ["comment", "", "192.0.2.3", "towe", "#"] {
      #expect(HostsFile.addresses(of: name, inText: Array(text.utf8)).isEmpty)
    }
  }

  @Test func longOrMissingHostsAreLeftToTheSystem() {
    let folder = TemporaryFolder()
    #expect(HostsFile.addresses(of: "a", in: folder["missing"]).isEmpty)
    folder.write("long", "192.0.2.1 a\n" + String(repeating: "#", count: 1 << 16))
    #expect(HostsFile.addresses(of: "a", in: folder["long"]).isEmpty)
  }

  @Test(
    "The file is only asked where it comes first",
    arguments: [
      ("hosts: files dns", true), ("passwd: dns\nhosts:\tfiles", true), ("", false),
      ("hosts:files dns", false),
      ("hosts: dns files", false), ("hosts: files [SUCCESS=merge] dns", false),
      ("# hosts: dns\nhosts: files # dns", true), ("hosts:", false),
    ])
  func servicesOfSystem(_ text: String, _ isFirst: Bool) {
    #expect(HostsFile.filesComeFirst(inText: Array(text.utf8)) == isFirst)
  }
}
