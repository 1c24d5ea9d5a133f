import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopSecretsTests {
  private let account = ["server": "example.org", "user": "emma"]

  /// Runs a body with the keyring of GNOME, which is unlocked.
  private func withKeyring(_ bus: PrivateBus, _ body: () -> Void) {
    let folder = bus.folder.path
    bus.folder.write("password", "a password")
    let script = """
      exec gnome-keyring-daemon --foreground --components=secrets --control-directory='\(folder)' \
        --unlock <'\(folder)/password'
      """
    let environment = [
      "HOME": folder, "XDG_DATA_HOME": folder, "XDG_RUNTIME_DIR": folder, "PATH": "/usr/bin:/bin",
      "DBUS_SESSION_BUS_ADDRESS": bus.address,
    ]
    bus.withProgram(
      ["/bin/sh", "-c", script], environment: environment, named: DesktopSecrets.service, body)
  }

  private struct Stage {
    let bus: PrivateBus
    let client: Confined<BusConnection?>
    let log = EventLog<String>()

    /// Logs the end of an operation, and waits for it.
    func run(
      _ operation: @escaping @Sendable (DesktopSecrets) -> Completable<BusError>
    ) -> String? {
      let count = log.count
      bus.loop.wait {
        guard let client = client.value else { return }
        operation(DesktopSecrets(on: client)).observe(
          completed: { log.add("done") }, failed: { log.add("failed \($0)") })
      }
      return log.wait(for: count + 1).last
    }

    func find(_ attributes: [String: String]) -> String? {
      let count = log.count
      bus.loop.wait {
        guard let client = client.value else { return }
        DesktopSecrets(on: client).find(attributes).observe(
          succeeded: { log.add("\($0.map(\.text).sorted())") },
          failed: { log.add("failed \($0)") })
      }
      return log.wait(for: count + 1).last
    }
  }

  @Test func secretsAreStoredFoundAndDeleted() async {
    let account = account
    await withBus { bus in
      let stage = Stage(bus: bus, client: bus.connect())
      withKeyring(bus) {
        #expect(stage.find(account) == "[]")
        func store(_ text: String, _ attributes: [String: String]) {
          let result = stage.run {
            $0.store(Array(text.utf8), as: "Mail of Emma", for: attributes)
          }
          #expect(result == "done")
        }
        store("old", account)
        store("größer", account)
        store("other", ["server": "example.org", "user": "ann"])
        #expect(stage.find(account) == #"["größer"]"#)
        #expect(stage.find(["server": "example.org"]) == #"["größer", "other"]"#)
      }
      // The keyring is a file.
      withKeyring(bus) {
        #expect(stage.find(account) == #"["größer"]"#)
        for _ in 0..<2 { #expect(stage.run { $0.delete(account) } == "done") }
        #expect(stage.find(["server": "example.org"]) == #"["other"]"#)
      }
      #expect(stage.find(account)?.hasPrefix("failed ") == true)
      bus.loop.wait { stage.client.value = nil }
    }
  }

  /// A keyring that asks the user before it is unlocked.
  @Test func theUserCanRefuse() async {
    let account = account
    await withBus { bus in
      let stage = Stage(bus: bus, client: bus.connect())
      let completed = Confined(PushStream<(Bool, Variant)>())
      @Sendable func keyring(_ server: BusConnection) {
        let (item, prompt): (ObjectPath, ObjectPath) = ("/a/item", "/a/prompt")
        var service = BusInterface(DesktopSecrets.interface)
        service.method("SearchItems", results: ["unlocked", "locked"]) {
          (_: [String: String]) throws(BusError) -> ([ObjectPath], [ObjectPath]) in ([], [item])
        }
        service.method("Unlock", results: ["unlocked", "prompt"]) {
          (_: [ObjectPath]) throws(BusError) -> ([ObjectPath], ObjectPath) in ([], prompt)
        }
        service.method("OpenSession", results: ["output", "result"]) {
          (_: String, _: Variant) throws(BusError) -> (Variant, ObjectPath) in
          (Variant(""), "/a/session")
        }
        service.method("GetSecrets") {
          (paths: [ObjectPath], session: ObjectPath) throws(BusError) in
          [paths[0]: SecretValue(Array("found".utf8), in: session)]
        }
        server.export(service, at: DesktopSecrets.path)
        var session = BusInterface(DesktopSecrets.sessionInterface)
        session.method("Close") { () throws(BusError) in stage.log.add("close") }
        server.export(session, at: "/a/session")
        var question = BusInterface(DesktopSecrets.promptInterface)
        question.method("Prompt") { (_: String) throws(BusError) in stage.log.add("prompt") }
        question.method("Dismiss") { () throws(BusError) in stage.log.add("dismiss") }
        question.signal("Completed", values: ["dismissed", "result"], completed.value.stream)
        server.export(question, at: prompt)
      }
      bus.withService(DesktopSecrets.service, keyring) {
        let observation = Confined(Disposable.none)
        func find() {
          bus.loop.wait {
            guard let client = stage.client.value else { return }
            observation.value = DesktopSecrets(on: client).find(account).observe(
              succeeded: { stage.log.add("\($0.map(\.text))") },
              failed: { stage.log.add("\($0)") })
          }
        }
        find()
        stage.log.wait(for: 1)
        bus.loop.wait { completed.value.next((true, Variant(""))) }
        #expect(stage.log.wait(for: 2) == ["prompt", "\(BusError.cancelled)"])
        find()
        stage.log.wait(for: 3)
        bus.loop.wait { completed.value.next((false, Variant(""))) }
        // The session for the secrets ends with the operation.
        #expect(stage.log.wait(for: 5)[3...] == [#"["found"]"#, "close"])
        find()
        stage.log.wait(for: 6)
        bus.loop.wait { observation.value.dispose() }
        #expect(stage.log.wait(for: 7).last == "dismiss")
        find()
        stage.log.wait(for: 8)
      }
      #expect(
        stage.log.wait(for: 9).last == "\(BusError.noReply("The keyring has ended."))")
      bus.loop.wait { stage.client.value = nil }
    }
  }

  /// The observation ends while the session is being opened.
  @Test func aSessionThatOpensLaterIsClosed() async {
    let account = account
    await withBus { bus in
      let stage = Stage(bus: bus, client: bus.connect())
      let finish = Confined<((Result<(Variant, ObjectPath), BusError>) -> Void)?>(nil)
      @Sendable func keyring(_ server: BusConnection) {
        var service = BusInterface(DesktopSecrets.interface)
        service.method("SearchItems", results: ["unlocked", "locked"]) {
          (_: [String: String]) throws(BusError) -> ([ObjectPath], [ObjectPath]) in (["/a"], [])
        }
        service.method(
          "OpenSession", results: ["output", "result"],
          later: {
            (_: String, _: Variant) throws(BusError) -> Single<(Variant, ObjectPath), BusError> in
            Single {
              finish.value = $0
              stage.log.add("open")
              return .none
            }
          })
        server.export(service, at: DesktopSecrets.path)
        var session = BusInterface(DesktopSecrets.sessionInterface)
        session.method("Close") { () throws(BusError) in stage.log.add("close") }
        server.export(session, at: "/a/session")
      }
      bus.withService(DesktopSecrets.service, keyring) {
        let observation = Confined(Disposable.none)
        bus.loop.wait {
          guard let client = stage.client.value else { return }
          observation.value = DesktopSecrets(on: client).find(account).observe(
            succeeded: { _ in stage.log.add("found") }, failed: { stage.log.add("\($0)") })
        }
        stage.log.wait(for: 1)
        bus.loop.wait {
          observation.value.dispose()
          finish.value?(.success((Variant(""), "/a/session")))
        }
        #expect(stage.log.wait(for: 2) == ["open", "close"])
      }
      bus.loop.wait {
        finish.value = nil
        stage.client.value = nil
      }
    }
  }
}
