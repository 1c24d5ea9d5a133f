import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@BusInterface("org.example.Library")
protocol Library: AnyObject {
  func add(_ left: Int32, to right: Int32) throws(BusError) -> Int32
  func note(_ text: String)
  func info() -> (name: String, size: UInt64)
  func wait() -> Single<String, BusError>
  func pair(of text: String) throws(BusError) -> Single<(first: String, UInt32), BusError>
  func close() -> Completable<BusError>
  @BusMember("GetURL") func address(of book: String) throws(BusError) -> String
  var volume: Property<Double> { get }
  @BusMember(changes: .withoutValue) var title: ReadOnlyProperty<String> { get }
  var version: String { get }
  var moved: EventStream<Int64, Never> { get }
  var stopped: EventStream<Void, Never> { get }
  var borrowed: EventStream<(book: String, days: UInt32), Never> { get }
}

/// An object that a test serves.
final class PublicLibrary: Library {
  let log: EventLog<String>
  let volume = Property(0.5)
  let currentTitle = Property("Emma")
  var title: ReadOnlyProperty<String> { currentTitle.readOnly }
  let version = "1.0"
  let positions = PushStream<Int64>()
  var moved: EventStream<Int64, Never> { positions.stream }
  let stops = PushStream<Void>()
  var stopped: EventStream<Void, Never> { stops.stream }
  let loans = PushStream<(book: String, days: UInt32)>()
  var borrowed: EventStream<(book: String, days: UInt32), Never> { loans.stream }
  var finish: ((Result<String, BusError>) -> Void)?

  init(_ log: EventLog<String>) { self.log = log }

  func add(_ left: Int32, to right: Int32) throws(BusError) -> Int32 {
    let (sum, overflows) = left.addingReportingOverflow(right)
    if overflows { throw .invalidArguments("The sum is too large.") }
    return sum
  }
  func note(_ text: String) { log.add("note \(text)") }
  func info() -> (name: String, size: UInt64) { ("City", .max) }
  func wait() -> Single<String, BusError> {
    Single { finish in
      self.finish = finish
      self.log.add("waits")
      return Disposable { self.log.add("disposed") }
    }
  }
  func pair(of text: String) throws(BusError) -> Single<(first: String, UInt32), BusError> {
    if text.isEmpty { throw .invalidArguments("The text is empty.") }
    return .just((text, 7))
  }
  func close() -> Completable<BusError> {
    Completable { [log] finish in
      log.add("closes")
      finish(.failed(.accessDenied("The library stays open.")))
      return .none
    }
  }
  func address(of book: String) throws(BusError) -> String { "file:///\(book)" }
}

@BusInterface("org.example.Peer")
protocol PythonPeer {
  func add(_ left: Int32, _ right: Int32) -> Int32
  func fail() throws(BusError)
  func never() throws(BusError)
  func echo(_ value: Variant) -> Variant
  func emit(_ count: UInt32)
  var count: EventStream<UInt32, Never> { get }
}

/// The members of the Python service with other types.
@BusInterface("org.example.Peer")
protocol WrongPeer {
  @BusMember("Echo") func echo(_ value: Variant) -> String
  @BusMember("Count") var count: EventStream<String, Never> { get }
}

@Suite struct BusProxyTests {
  /// Runs a body with a library on the bus and a proxy of it.
  private func withLibrary(
    _ body:
      @escaping @Sendable (
        PrivateBus, Confined<PublicLibrary?>, Confined<LibraryProxy?>, EventLog<String>
      ) -> Void
  ) async {
    await withBus { bus in
      let (server, client) = (bus.connect(), bus.connect())
      let log = EventLog<String>()
      let names = EventLog<NameState>()
      let library = Confined<PublicLibrary?>(nil)
      let proxy = Confined<LibraryProxy?>(nil)
      let naming = Confined(Disposable.none)
      bus.loop.wait {
        guard let server = server.value, let client = client.value else { return }
        let object = PublicLibrary(log)
        library.value = object
        server.export(object, as: LibraryProxy.self, at: "/library")
        naming.value = server.name("org.example.Library").observe(next: { names.add($0) })
        proxy.value = LibraryProxy(at: "/library", from: "org.example.Library", on: client)
      }
      names.wait(for: 1)
      body(bus, library, proxy, log)
      bus.loop.wait {
        naming.value.dispose()
        library.value = nil
        proxy.value = nil
      }
    }
  }

  @Test func methodsOfAProxyCallTheObject() async {
    await withLibrary { bus, library, proxy, log in
      let results = EventLog<String>()
      bus.loop.wait {
        guard let library = proxy.value else { return }
        library.add(40, to: 2).observe(succeeded: { results.add("\($0)") })
        library.add(.max, to: 1).observe(failed: { results.add("\($0)") })
        library.note("Emma").observe(completed: { results.add("noted") })
        library.info().observe(succeeded: { results.add("\($0.name) \($0.size)") })
        library.pair(of: "a").observe(succeeded: { results.add("\($0.first) \($0.1)") })
        library.pair(of: "").observe(failed: { results.add("\($0)") })
        library.close().observe(failed: { results.add("\($0)") })
        library.address(of: "b").observe(succeeded: { results.add($0) })
      }
      #expect(
        results.wait(for: 8) == [
          "42", "The sum is too large.", "noted", "City \(UInt64.max)", "a 7",
          "The text is empty.", "The library stays open.", "file:///b",
        ])
      #expect(log.all == ["note Emma", "closes"])
    }
  }

  @Test func laterAnswersAreSentAndDisposed() async {
    await withLibrary { bus, library, proxy, log in
      let results = EventLog<String>()
      bus.loop.wait {
        _ = proxy.value?.wait().observe(succeeded: { results.add($0) })
      }
      log.wait(for: 1)
      bus.loop.wait { library.value?.finish?(.success("done")) }
      #expect(results.wait(for: 1) == ["done"])
      bus.loop.wait { _ = proxy.value?.wait().observe() }
      log.wait { $0.filter { $0 == "waits" }.count == 2 }
      bus.loop.wait { proxy.value?.remote.bus.close() }
      #expect(log.wait { $0.last == "disposed" }.last == "disposed")
    }
  }

  @Test func propertiesAreFollowedAndWritten() async {
    await withLibrary { bus, library, proxy, _ in
      let log = EventLog<String>()
      bus.loop.wait {
        proxy.value?.volume.observeNext { log.add("volume \($0 ?? -1)") }
        proxy.value?.title.observeNext { log.add("title \($0 ?? "none")") }
        proxy.value?.version.observeNext { log.add("version \($0 ?? "none")") }
      }
      #expect(
        Set(log.wait(for: 6)) == [
          "volume -1.0", "title none", "version none", "volume 0.5", "title Emma", "version 1.0",
        ])
      bus.loop.wait { library.value?.currentTitle.value = "Dune" }
      #expect(log.wait(for: 7).last == "title Dune")
      bus.loop.wait { _ = proxy.value?.volume.set(0.75).observe() }
      #expect(log.wait(for: 8).last == "volume 0.75")
      #expect(bus.loop.wait { library.value?.volume.value } == 0.75)
      #expect(bus.loop.wait { proxy.value?.volume.value } == 0.75)
      #expect(bus.loop.wait { proxy.value?.title.value } == "Dune")
    }
  }

  @Test func signalsCarryTheirValues() async {
    await withLibrary { bus, library, proxy, _ in
      let log = EventLog<String>()
      bus.loop.wait {
        guard let proxy = proxy.value else { return }
        proxy.moved.observe(next: { log.add("moved \($0)") })
        proxy.stopped.observe(next: { log.add("stopped") })
        proxy.borrowed.observe(next: { log.add("\($0.book) \($0.days)") })
        // After its reply, the rules are in force.
        proxy.note("ready").observe(completed: { log.add("ready") })
      }
      log.wait(for: 1)
      bus.loop.wait {
        library.value?.positions.next(-7)
        library.value?.stops.next(())
        library.value?.loans.next(("Emma", 14))
      }
      #expect(log.wait(for: 4) == ["ready", "moved -7", "stopped", "Emma 14"])
    }
  }

  @Test func introspectionShowsNamesAndTypes() async {
    await withLibrary { bus, _, _, _ in
      let client = bus.connect()
      let method = BusMethod(
        "Introspect", of: "org.freedesktop.DBus.Introspectable", at: "/library",
        from: "org.example.Library")
      guard case .values(let text) = bus.loop.result(of: method, on: client) else {
        Issue.record("No description.")
        return
      }
      let words = text.replacing("\\\"", with: "\"")
      for part in [
        "<method name=\"Add\">\\n   <arg name=\"left\" type=\"i\" direction=\"in\"/>",
        "<arg name=\"size\" type=\"t\" direction=\"out\"/>",
        "<method name=\"GetURL\">",
        "<property name=\"Volume\" type=\"d\" access=\"readwrite\">",
        "<property name=\"Title\" type=\"s\" access=\"read\">",
        "value=\"invalidates\"/>",
        "value=\"const\"/>",
        "<signal name=\"Borrowed\">\\n   <arg name=\"book\" type=\"s\"/>",
        "<arg name=\"days\" type=\"u\"/>",
      ] { #expect(words.contains(part), "\(part) is missing in \(text)") }
    }
  }

  @Test func proxyOfAnotherLibrarysService() async {
    await withBus { bus in
      bus.withPeer { _ in
        let client = bus.connect()
        let log = EventLog<String>()
        bus.loop.wait {
          guard let client = client.value else { return }
          let peer = PythonPeerProxy(at: "/one", from: "org.example.Peer", on: client)
          peer.count.observe(next: { log.add("count \($0)") })
          peer.add(40, 2).observe(succeeded: { log.add("\($0)") })
          peer.fail().observe(failed: { log.add("\($0)") })
          peer.echo(Variant([UInt16(7)])).observe(succeeded: {
            log.add("\($0[[UInt16].self] ?? [])")
          })
          peer.emit(2).observe(failed: { log.add("\($0)") })
        }
        #expect(
          log.wait(for: 5) == ["42", "org.example.Full: no room", "[7]", "count 0", "count 1"])
      }
    }
  }

  @Test func valuesOfOtherTypesAreErrorsOrLeftOut() async {
    await withBus { bus in
      bus.withPeer { _ in
        let client = bus.connect()
        let log = EventLog<String>()
        bus.loop.wait {
          guard let client = client.value else { return }
          let wrong = WrongPeerProxy(at: "/one", from: "org.example.Peer", on: client)
          let right = PythonPeerProxy(at: "/one", from: "org.example.Peer", on: client)
          wrong.count.observe(next: { log.add("wrong \($0)") }, failed: { log.add("\($0)") })
          right.count.observe(next: { log.add("count \($0)") })
          wrong.echo(Variant("text")).observe(failed: { log.add("\($0)") })
          right.emit(1).observe()
        }
        #expect(
          log.wait(for: 2) == ["The types are \"v\" instead of \"s\".", "count 0"])
      }
    }
  }

  @Test func limitsOfCallsAreThoseOfTheProxy() async {
    await withBus { bus in
      bus.withPeer { _ in
        let client = bus.connect()
        let log = EventLog<BusError>()
        bus.loop.wait {
          guard let client = client.value else { return }
          let peer = PythonPeerProxy(at: "/one", from: "org.example.Peer", on: client)
          peer.remote.timeout = .milliseconds(1)
          peer.never().observe(failed: { log.add($0) })
          let absent = PythonPeerProxy(at: "/one", from: "org.example.None", on: client)
          absent.remote.startsService = false
          absent.fail().observe(failed: { log.add($0) })
        }
        #expect(Set(log.wait(for: 2)) == [.timedOut, .serviceAbsent("org.example.None")])
      }
    }
  }

  @Test func asyncMethodsReplyThrowAndAreCancelled() async {
    await withBus { bus in
      bus.withPeer { peer in
        let client = bus.connect()
        let log = EventLog<String>()
        let caller = Caller(bus.loop)
        let task = Task {
          await caller.use(client, log)
        }
        #expect(log.wait(for: 2) == ["42", "org.example.Full: no room"])
        #expect(peer.readLine() == "never")
        task.cancel()
        #expect(log.wait(for: 3).last == "The task was cancelled.")
      }
    }
  }

  /// An actor on the loop of a connection.
  private actor Caller {
    private let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    func use(_ client: Confined<BusConnection?>, _ log: EventLog<String>) async {
      guard let client = client.value else { return }
      let peer = PythonPeerProxy(at: "/one", from: "org.example.Peer", on: client)
      do throws(BusError) {
        log.add("\(try await peer.add(40, 2))")
        try await peer.fail()
      } catch {
        log.add("\(error)")
      }
      do throws(BusError) {
        try await peer.never()
      } catch {
        log.add("\(error)")
      }
    }
  }
}
