import RunnelDBus
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

enum Shelf {
  struct Place: BusStructure {
    var row: UInt32
    static let members = [UInt32.busType]
    func writeMembers(to writer: BusWriter) throws(BusError) { try row.write(to: writer) }
    init(_ row: UInt32) { self.row = row }
    init(members reader: BusReader) throws(BusError) { row = try UInt32(from: reader) }
  }

  @BusInterface("org.example.Books")
  protocol Books {
    /// Titles of books.
    typealias Titles = [String]
    typealias Size = (name: String, bytes: UInt64)
    @discardableResult func add(_ titles: Titles, at place: Place) throws(BusError) -> UInt32
    func size(of title: String) -> Size
    func later() -> Single<Size, BusError>
    func `repeat`(in `default`: Bool, finish: Bool) -> Bool
    var titles: ReadOnlyProperty<Titles> { get }
    var resized: EventStream<Size, Never> { get }
    @available(*, deprecated) func count() -> UInt32
    @available(*, deprecated, message: "Use titles.") var oldTitles: ReadOnlyProperty<Titles> {
      get
    }
    @available(*, deprecated) var sold: EventStream<Size, Never> { get }
  }
}

/// A protocol of an actor whose parameters have names that the generated code uses.
@BusInterface("org.example.Tasks")
@MainActor
package protocol Tasks: AnyObject {
  func stop(finish: Bool, task: String, error: Int32) async throws(BusError)
  @discardableResult func load(_ object: String) async throws(BusError) -> (String, UInt64)
  @MainActor func pause() async
}

private final class BookShelf: Shelf.Books {
  let currentTitles = Property([String]())
  var titles: ReadOnlyProperty<[String]> { currentTitles.readOnly }
  let sizes = PushStream<(name: String, bytes: UInt64)>()
  var resized: EventStream<(name: String, bytes: UInt64), Never> { sizes.stream }

  func add(_ titles: [String], at place: Shelf.Place) throws(BusError) -> UInt32 {
    currentTitles.value += titles
    return place.row
  }
  func size(of title: String) -> Size { (title, 7) }
  func later() -> Single<Size, BusError> { .just(("later", 8)) }
  func `repeat`(in `default`: Bool, finish: Bool) -> Bool { `default` && finish }
  func count() -> UInt32 { 9 }
  var oldTitles: ReadOnlyProperty<[String]> { titles }
  var sold: EventStream<(name: String, bytes: UInt64), Never> { resized }
}

@Suite struct ProtocolFormsTests {
  @Test func membersInManyFormsAreCalled() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let kept = Confined<[BusConnection]>([])
      loop.wait {
        guard let (server, client) = try? BusConnection.pair(on: loop) else { return }
        kept.value = [server, client]
        server.export(BookShelf(), as: Shelf.BooksProxy.self, at: "/one")
        let books = Shelf.BooksProxy(at: "/one", from: nil, on: client)
        books.add(["Emma"], at: Shelf.Place(3)).observe(succeeded: { log.add("\($0)") })
        books.size(of: "Emma").observe(succeeded: { log.add("\($0.name) \($0.bytes)") })
        books.later().observe(succeeded: { log.add("\($0.name) \($0.bytes)") })
        books.repeat(in: true, finish: true).observe(succeeded: { log.add("\($0)") })
      }
      #expect(log.wait(for: 4) == ["3", "Emma 7", "later 8", "true"])
      loop.wait { kept.value = [] }
    }
  }
}
