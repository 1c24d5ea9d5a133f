import Foundation
import RunnelDBus
import RunnelStreams
import TestSupport
import Testing

/// `Scripts/dbus-interface`.
@Suite struct InterfaceToolTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let tool = folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scripts/dbus-interface").path()

  /// Described.swift is compiled with these tests, so the macro accepts what the tool writes.
  @Test func writesWhatTheCompilerAccepts() throws {
    let written = output(Self.tool, Self.folder.appending(path: "described.xml").path())
    let file = try String(
      contentsOf: Self.folder.appending(path: "Described.swift"), encoding: .utf8)
    #expect("// swift-format-ignore-file\n\(written)\n" == file)
  }

  @Test func writesThePublishedInterface() async {
    await withBus { bus in
      let server = bus.connect()
      let names = EventLog<NameState>()
      let naming = Confined(Disposable.none)
      bus.loop.wait {
        guard let server = server.value else { return }
        server.export(
          PublicLibrary(EventLog()), as: LibraryProxy.self, at: "/library")
        naming.value = server.name("org.example.Library").observe(next: { names.add($0) })
      }
      names.wait(for: 1)
      let written = output(
        Self.tool, "--address", bus.address, "org.example.Library", "/library")
      #expect(
        written == """
          import RunnelDBus
          import RunnelStreams

          @BusInterface("org.example.Library")
          @MainActor protocol Library {
            func add(_ left: Int32, right: Int32) throws(BusError) -> Int32
            func note(_ text: String) throws(BusError)
            func info() throws(BusError) -> (name: String, size: UInt64)
            func wait() throws(BusError) -> String
            func pair(_ text: String) throws(BusError) -> (first: String, value2: UInt32)
            func close() throws(BusError)
            func getURL(_ book: String) throws(BusError) -> String
            var moved: EventStream<Int64, Never> { get }
            var stopped: EventStream<Void, Never> { get }
            var borrowed: EventStream<(book: String, days: UInt32), Never> { get }
            var volume: Property<Double> { get }
            @BusMember(changes: .withoutValue) var title: ReadOnlyProperty<String> { get }
            var version: String { get }
          }
          """)
    }
  }

  @Test(arguments: [
    (["/nowhere.xml"], "/nowhere.xml cannot be read"),
    ([#filePath + ".xml"], "cannot be read"),
    (["Described.swift"], "Usage: Scripts/dbus-interface"),
    (["described.xml", "org.example.None"], "has no interface org.example.None. It has:"),
  ])
  func saysWhatIsWrong(_ arguments: [String], _ message: String) {
    let words = arguments.map { word in
      word == "described.xml" ? Self.folder.appending(path: word).path() : word
    }
    let shell = "\(Self.tool) \(words.joined(separator: " ")) 2>&1"
    #expect(output("/bin/sh", "-c", shell).contains(message))
  }
}
