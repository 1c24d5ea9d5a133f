import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

/// A portal that asks the user, whose answers a test gives. It belongs to the loop.
private final class AskingPortal {
  let log: EventLog<String>
  /// Sends the answers of the objects for requests.
  private var answers: [PushStream<(UInt32, [String: Variant])>] = []
  private weak var server: BusConnection?

  init(_ server: BusConnection, _ log: EventLog<String>) {
    self.server = server
    self.log = log
    var opener = BusInterface("org.freedesktop.portal.OpenURI")
    opener.method("OpenURI", "parent", "uri", "options", returning: "handle") {
      [unowned self] (_: String, address: String, _: [String: Variant]) throws(BusError) in
      try begin("address \(address)")
    }
    opener.method("OpenFile", "parent", "fd", "options", returning: "handle") {
      [unowned self] (_: String, file: BusDescriptor, _: [String: Variant]) throws(BusError) in
      try begin("file \(file.number >= 0)")
    }
    var chooser = BusInterface("org.freedesktop.portal.FileChooser")
    for name in ["OpenFile", "SaveFile"] {
      chooser.method(name, "parent", "title", "options", returning: "handle") {
        [unowned self] (_: String, title: String, options: [String: Variant]) throws(BusError) in
        let words = options.map { "\($0.key)=\($0.value.content)" }.sorted()
        return try begin("\(name) \(title) \(words)")
      }
    }
    server.export(opener, chooser, at: DesktopPortal.path)
  }

  private func begin(_ text: String) throws(BusError) -> ObjectPath {
    if text.contains("refused") { throw .accessDenied("no") }
    let number = answers.count
    let stream = PushStream<(UInt32, [String: Variant])>()
    answers.append(stream)
    var request = BusInterface("org.freedesktop.portal.Request")
    request.method("Close") { [unowned self] () throws(BusError) in log.add("close \(number)") }
    request.signal("Response", values: ["response", "results"], stream.stream)
    let path = ObjectPath("/org/freedesktop/portal/desktop/request/a/\(number)") ?? .root
    server?.export(request, at: path)
    log.add(text)
    // Some portals answer before they reply to the call.
    if text.contains("early") { answer(number, 0) }
    return path
  }

  func answer(_ number: Int, _ code: UInt32, _ values: [String: Variant] = [:]) {
    answers[number].next((code, values))
  }
}

@Suite struct PortalTests {
  private struct Stage {
    let bus: PrivateBus
    let client: Confined<BusConnection?>
    let portal = Confined<AskingPortal?>(nil)
    let log = EventLog<String>()
    let observation = Confined(Disposable.none)

    func open(_ address: String) {
      bus.loop.wait {
        guard let client = client.value else { return }
        observation.value = DesktopOpener(on: client).open(address).observe(
          completed: { log.add("opened") }, failed: { log.add("failed \($0)") })
      }
    }

    func choose(_ dialog: DesktopFileDialog) {
      bus.loop.wait {
        guard let client = client.value else { return }
        observation.value = DesktopFileChooser(on: client).choose(dialog).observe(
          succeeded: { log.add("chosen \($0)") }, failed: { log.add("failed \($0)") })
      }
    }

    func answer(_ number: Int, _ code: UInt32, _ values: [String: Variant] = [:]) {
      bus.loop.wait { portal.value?.answer(number, code, values) }
    }
  }

  private func withPortal(_ body: @escaping @Sendable (Stage) -> Void) async {
    await withBus { bus in
      let stage = Stage(bus: bus, client: bus.connect())
      bus.withService(
        DesktopPortal.service, { stage.portal.value = AskingPortal($0, stage.log) }
      ) { body(stage) }
      bus.loop.wait {
        stage.client.value = nil
        stage.portal.value = nil
      }
    }
  }

  @Test func addressesAreOpened() async {
    await withPortal { stage in
      stage.open("https://example.org/a")
      #expect(stage.log.wait(for: 1) == ["address https://example.org/a"])
      stage.answer(0, 0)
      #expect(stage.log.wait(for: 2).last == "opened")
      stage.open("early:a")
      #expect(stage.log.wait(for: 4).last == "opened")
    }
  }

  @Test func theUserAndThePortalCanRefuse() async {
    await withPortal { stage in
      stage.open("mailto:a")
      stage.log.wait(for: 1)
      stage.answer(0, 1)
      #expect(stage.log.wait(for: 2).last == "failed \(DesktopOpenError.cancelled)")
      stage.open("mailto:a")
      stage.log.wait(for: 3)
      stage.answer(1, 2)
      #expect(stage.log.wait(for: 4).last?.contains("has ended the question") == true)
      stage.open("refused:a")
      #expect(
        stage.log.wait(for: 5).last
          == "failed \(DesktopOpenError.portal(.accessDenied("no")))")
      stage.open("no address")
      #expect(
        stage.log.wait(for: 6).last
          == "failed \(DesktopOpenError.invalidAddress("no address"))")
    }
  }

  @Test func filesAreOpenedByDescriptor() async {
    await withPortal { stage in
      stage.bus.folder.write("Plans.md")
      for (path, text) in [(stage.bus.folder["Plans.md"], "file true"), ("/nothing/a", "failed")] {
        stage.bus.loop.wait {
          guard let client = stage.client.value else { return }
          stage.observation.value = DesktopOpener(on: client).openFile(path)
            .observe(failed: { stage.log.add("failed \($0)") })
        }
        #expect(stage.log.wait { $0.last?.hasPrefix(text) == true }.last?.hasPrefix(text) == true)
      }
    }
  }

  @Test func disposalClosesTheDialog() async {
    await withPortal { stage in
      stage.choose(DesktopFileDialog("Folder", .folder))
      stage.log.wait(for: 1)
      stage.bus.loop.wait { stage.observation.value.dispose() }
      #expect(stage.log.wait(for: 2).last == "close 0")
    }
  }

  @Test func filesAreChosen() async {
    await withPortal { stage in
      var dialog = DesktopFileDialog("Import", .open(several: true))
      dialog.filters = [.init("Notes", patterns: ["*.md"])]
      dialog.folder = "/a"
      dialog.acceptLabel = "Take"
      stage.choose(dialog)
      let options =
        #"["accept_label=string(\"Take\")", "current_folder=bytes([47, 97, 0])", "#
        + #""filters=array(of: RunnelDBus.BusType"#
      #expect(stage.log.wait(for: 1)[0].hasPrefix("OpenFile Import \(options)"))
      stage.answer(0, 0, ["uris": Variant(["file:///a/b.md"])])
      #expect(stage.log.wait(for: 2).last == #"chosen ["file:///a/b.md"]"#)
      stage.choose(DesktopFileDialog("Export", .save(name: "Plans.md")))
      #expect(
        stage.log.wait(for: 3).last
          == #"SaveFile Export ["current_name=string(\"Plans.md\")", "modal=boolean(true)"]"#)
      stage.answer(1, 1)
      #expect(stage.log.wait(for: 4).last == "chosen []")
    }
  }

  @Test func thePortalCanEnd() async {
    await withBus { bus in
      let stage = Stage(bus: bus, client: bus.connect())
      bus.withService(
        DesktopPortal.service, { stage.portal.value = AskingPortal($0, stage.log) }
      ) {
        stage.choose(DesktopFileDialog("Folder", .folder))
        stage.log.wait(for: 1)
      }
      #expect(stage.log.wait(for: 2).last == "failed \(BusError.noReply("The portal has ended."))")
      stage.choose(DesktopFileDialog("Folder", .folder))
      #expect(stage.log.wait(for: 3).last?.hasPrefix("failed ") == true)
      bus.loop.wait {
        stage.client.value = nil
        stage.portal.value = nil
      }
    }
  }

  @Test func withoutAPortalAProgramOpens() async {
    await withBus { bus in
      let log = EventLog<String>()
      let client = bus.connect()
      bus.folder.write("Plans.md")
      func open(with program: String) {
        bus.loop.wait {
          guard let client = client.value else { return }
          let opener = DesktopOpener(on: client)
          opener.program = program
          opener.openFile(bus.folder["Plans.md"]).observe(
            completed: { log.add("opened") }, failed: { log.add("\($0)") })
        }
      }
      open(with: "/bin/ls")
      #expect(log.wait(for: 1).last == "opened")
      open(with: "/bin/false")
      #expect(log.wait(for: 2).last == "\(DesktopOpenError.noApplication(.exited(1)))")
      open(with: "/nothing/opens")
      #expect(
        log.wait(for: 3).last == "\(DesktopOpenError.program(.missing("/nothing/opens")))")
      bus.loop.wait { client.value = nil }
    }
  }
}
