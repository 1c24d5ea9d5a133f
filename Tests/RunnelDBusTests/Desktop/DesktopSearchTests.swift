import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

@Suite struct DesktopSearchTests {
  private final class Titles: DesktopSearchProvider {
    let log: EventLog<String>
    private let titles = ["1": "Plans", "2": "Places", "3": "Emma"]

    init(_ log: EventLog<String>) {
      self.log = log
    }

    func results(
      for words: [String], among earlier: [String]?
    ) -> Single<[String], BusError> {
      .just(
        (earlier ?? titles.keys.sorted()).filter { key in
          words.allSatisfy { titles[key]?.contains($0) == true }
        })
    }

    func result(_ identifier: String) -> DesktopSearchResult? {
      titles[identifier].map { DesktopSearchResult($0, text: identifier == "1" ? "a note" : "") }
    }

    func open(_ identifier: String, for words: [String]) { log.add("open \(identifier) \(words)") }
    func openSearch(for words: [String]) { log.add("search \(words)") }
  }

  @Test func theDesktopSearches() async {
    await withBus { bus in
      let log = EventLog<String>()
      let (name, path): (String, ObjectPath) = ("org.example.Notes", "/org/example/Notes/Search")
      bus.withService(name, { $0.export(Titles(log), at: path) }) {
        let client = bus.connect()
        /// Calls a method with words, and logs its result.
        func ask<Output: BusValue & SendableMetatype>(
          _ member: String, _ arguments: [Variant.Content], as type: Output.Type
        ) -> String? {
          let count = log.count
          let method = BusMethod(
            member, of: "org.gnome.Shell.SearchProvider2", at: path, from: name)
          bus.loop.wait {
            _ = client.value?.call(method) { writer throws(BusError) in
              for argument in arguments { try writer.write(argument) }
            }
            .observe(
              succeeded: { body in
                let value = try? body.value(as: type)
                log.add(value.map { "\($0)" } ?? "")
              }, failed: { log.add("failed \($0)") })
          }
          return log.wait(for: count + 1).last
        }
        func words(_ words: String...) -> Variant.Content {
          .array(of: .string, words.map { .string($0) })
        }
        let list = [String].self
        #expect(ask("GetInitialResultSet", [words("Pla")], as: list) == #"["1", "2"]"#)
        let fewer = [words("1", "2"), words("Pla", "ns")]
        #expect(ask("GetSubsearchResultSet", fewer, as: list) == #"["1"]"#)
        let metas = ask("GetResultMetas", [words("3", "9")], as: [[String: Variant]].self)
        let result = ["id": Variant("3"), "name": Variant("Emma")]
        #expect(metas?.count == "\([result])".count)
        let all = ask("GetResultMetas", [words("1")], as: [[String: Variant]].self)
        #expect(all?.contains("description") == true && all?.contains("a note") == true)
        let start = log.count
        for (member, arguments) in [
          ("ActivateResult", [.string("1"), words("Pla"), .uint32(0)]),
          ("LaunchSearch", [words("Pla"), .uint32(0)]),
        ] as [(String, [Variant.Content])] {
          let method = BusMethod(
            member, of: "org.gnome.Shell.SearchProvider2", at: path, from: name)
          bus.loop.wait {
            _ = client.value?.call(method) { writer throws(BusError) in
              for argument in arguments { try writer.write(argument) }
            }
            .observe(failed: { log.add("failed \($0)") })
          }
        }
        #expect(log.wait(for: start + 2)[start...] == [#"open 1 ["Pla"]"#, #"search ["Pla"]"#])
        bus.loop.wait { client.value = nil }
      }
    }
  }
}
