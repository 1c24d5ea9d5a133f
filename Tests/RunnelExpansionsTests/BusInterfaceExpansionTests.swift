import Testing

@testable import RunnelExpansions

@Suite struct BusInterfaceExpansionTests {
  /// Expects the expansion of a protocol with the given requirements. The other arguments are the members of
  /// the proxy and the description of the interface.
  private func expectMembers(
    _ requirements: String, calls: String, description: String,
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let expanded = BusExpanding(
      "@BusInterface(\"org.example.Player\")\nprotocol Player {\n\(requirements)\n}")
    #expect(expanded.report == "", sourceLocation: location)
    let text = """
      /// An object of another program with the interface `org.example.Player`.
      final class PlayerProxy: BusProxy {
        static let interfaceName = "org.example.Player"
        let remote: RemoteObject
        init(_ remote: RemoteObject) { self.remote = remote }
      \(calls.indentedBy(2))
        static func interface(of object: any Player) -> BusInterface {
          var interface = BusInterface(interfaceName)
      \(description.indentedBy(4))
          return interface
        }
      }
      """.withoutEmptyLines
    #expect(expanded.generated == text, sourceLocation: location)
  }

  @Test func methodWithoutResult() {
    expectMembers(
      "func play(_ title: String) throws(BusError)",
      calls: """
        func play(_ title: String) -> Completable<BusError> {
          remote.call("Play", with: title).asCompletable()
        }
        nonisolated(nonsending) func play(_ title: String) async throws(BusError) {
          try await remote.call("Play", with: title).reply()
        }
        """,
      description: """
        interface.method("Play", "title", answer: { (title: String) throws(BusError) -> Void in
          try object.play(title)
        })
        """)
  }

  @Test func methodWithResultThatCannotFail() {
    expectMembers(
      "func titles(of author: String, after year: Int32) -> [String]",
      calls: """
        func titles(of author: String, after year: Int32) -> Single<[String], BusError> {
          remote.call("Titles", with: author, year, as: [String].self)
        }
        nonisolated(nonsending) func titles(of author: String, after year: Int32) async throws(BusError) -> [String] {
          try await remote.call("Titles", with: author, year, as: [String].self).reply()
        }
        """,
      description: """
        interface.method("Titles", "author", "year", answer: { (author: String, year: Int32) throws(BusError) -> [String] in
          object.titles(of: author, after: year)
        })
        """)
  }

  @Test func severalResultsAreATuple() {
    expectMembers(
      "func info() throws(BusError) -> (name: String, UInt64)",
      calls: """
        func info() -> Single<(name: String, UInt64), BusError> {
          remote.call("Info", as: String.self, UInt64.self).map { (name: $0.0, $0.1) }
        }
        nonisolated(nonsending) func info() async throws(BusError) -> (name: String, UInt64) {
          try await remote.call("Info", as: String.self, UInt64.self).reply()
        }
        """,
      description: """
        interface.method("Info", results: ["name", ""], answer: { () throws(BusError) -> (String, UInt64) in
          try object.info()
        })
        """)
  }

  @Test func laterAnswers() {
    expectMembers(
      """
      func search() -> Single<[String], BusError>
      func stop() throws(BusError) -> Completable<BusError>
      """,
      calls: """
        func search() -> Single<[String], BusError> { remote.call("Search", as: [String].self) }
        nonisolated(nonsending) func search() async throws(BusError) -> [String] {
          try await remote.call("Search", as: [String].self).reply()
        }
        func stop() -> Completable<BusError> { remote.call("Stop").asCompletable() }
        nonisolated(nonsending) func stop() async throws(BusError) {
          try await remote.call("Stop").reply()
        }
        """,
      description: """
        interface.method("Search", later: { () throws(BusError) -> Single<[String], BusError> in
          object.search()
        })
        interface.method("Stop", later: { () throws(BusError) -> Completable<BusError> in
          try object.stop()
        })
        """)
  }

  @Test func propertiesAndConstants() {
    expectMembers(
      """
      /// The volume.
      var volume: Property<Double> { get }
      @BusMember(changes: .withoutValue) var title: ReadOnlyProperty<String> { get }
      @BusMember("APIVersion") var version: UInt32 { get }
      @BusMember(changes: .silent) var size: ReadOnlyProperty<UInt64> { get }
      """,
      calls: """
        /// The volume.
        var volume: RemoteProperty<Double> { remote.writableProperty("Volume") }
        var title: ReadOnlyProperty<String?> { remote.property("Title") }
        var version: ReadOnlyProperty<UInt32?> { remote.property("APIVersion") }
        var size: Single<UInt64, BusError> { remote.read("Size") }
        """,
      description: """
        interface.writableProperty("Volume", object.volume)
        interface.property("Title", object.title, changes: .withoutValue)
        interface.constant("APIVersion", object.version)
        interface.property("Size", object.size, changes: .silent)
        """)
  }

  @Test func signals() {
    expectMembers(
      """
      var moved: EventStream<Int64, Never> { get }
      var stopped: EventStream<Void, Never> { get }
      var invoked: EventStream<(id: UInt32, key: String), Never> { get }
      """,
      calls: """
        var moved: EventStream<Int64, BusError> { remote.signals("Moved", as: Int64.self) }
        var stopped: EventStream<Void, BusError> { remote.signals("Stopped") }
        var invoked: EventStream<(id: UInt32, key: String), BusError> {
          remote.signals("Invoked", as: UInt32.self, String.self).map { (id: $0.0, key: $0.1) }
        }
        """,
      description: """
        interface.signal("Moved", "", object.moved)
        interface.signal("Stopped", object.stopped)
        interface.signal("Invoked", values: ["id", "key"], object.invoked.map { ($0.0, $0.1) })
        """)
  }

  @Test func namesThatTheCodeUsesAreReplaced() {
    expectMembers(
      "func show(object: String, _: Bool)",
      calls: """
        func show(object argument0: String, _ argument1: Bool) -> Completable<BusError> {
          remote.call("Show", with: argument0, argument1).asCompletable()
        }
        nonisolated(nonsending) func show(object argument0: String, _ argument1: Bool) async throws(BusError) {
          try await remote.call("Show", with: argument0, argument1).reply()
        }
        """,
      description: """
        interface.method("Show", "object", "", answer: { (argument0: String, argument1: Bool) throws(BusError) -> Void in
          object.show(object: argument0, argument1)
        })
        """)
  }

  @Test func actorsAccessAndAvailabilityAreTakenOver() {
    let expanded = BusExpanding(
      """
      @available(*, deprecated) @BusInterface("org.example.Player") @MainActor public protocol Player {
        @available(*, deprecated) func wait(_ title: String) async throws(BusError) -> [String]
        func stop() async
      }
      """)
    #expect(expanded.report == "")
    #expect(
      expanded.generated == """
        /// An object of another program with the interface `org.example.Player`.
        @available(*, deprecated)
        @MainActor
        public final class PlayerProxy: @MainActor BusProxy {
          public static let interfaceName = "org.example.Player"
          public let remote: RemoteObject
          public init(_ remote: RemoteObject) { self.remote = remote }
          @available(*, deprecated) public func wait(_ title: String) -> Single<[String], BusError> {
            remote.call("Wait", with: title, as: [String].self)
          }
          @available(*, deprecated) public func wait(_ title: String) async throws(BusError) -> [String] {
            try await remote.call("Wait", with: title, as: [String].self).reply()
          }
          public func stop() -> Completable<BusError> { remote.call("Stop").asCompletable() }
          public func stop() async throws(BusError) { try await remote.call("Stop").reply() }
          public static func interface(of object: any Player) -> BusInterface {
            var interface = BusInterface(interfaceName)
            interface.method("Wait", "title", later: { (title: String) throws(BusError) -> Single<[String], BusError> in
              Single<[String], BusError> { finish in
                let task = Task.immediate { @MainActor in
                  do throws(BusError) { finish(.success(try await object.wait(title))) }
                  catch { finish(.failure(error)) }
                }
                return Disposable { task.cancel() }
              }
            })
            interface.method("Stop", later: { () throws(BusError) -> Completable<BusError> in
              Single<Void, BusError> { finish in
                let task = Task.immediate { @MainActor in
                  finish(.success(await object.stop()))
                }
                return Disposable { task.cancel() }
              }.asCompletable()
            })
            return interface
          }
        }
        """)
  }
}

/// The expansion of `@BusInterface` and `@BusMember`.
struct BusExpanding {
  let report: String
  private let text: String

  init(_ source: String) {
    let expanded = Expanding(
      source, macros: ["BusInterface": BusInterfaceMacro.self, "BusMember": BusMemberMacro.self])
    (text, report) = (expanded.text, expanded.report)
  }

  /// The class that the macro wrote.
  var generated: String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { !$0.contains("/// An object of another program") }
      .joined(separator: "\n")
  }
}

extension String {
  fileprivate func indentedBy(_ count: Int) -> String {
    split(separator: "\n").map { String(repeating: " ", count: count) + $0 }
      .joined(separator: "\n")
  }
}
