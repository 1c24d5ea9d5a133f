// Declarations that the examples of the documentation use. The file is compiled with the examples.
// An example declares whatever else it needs.

import Foundation
import Observation
import RunnelBus
import RunnelCollections
import RunnelJSON
import RunnelLoop
import RunnelNet
import RunnelProxies
import RunnelStreams
import RunnelTLS
import RunnelTesting

// MARK: - Controls

/// The type of `self` in the examples.
@MainActor final class Screen: LifetimeOwner {
  let lifetime = Lifetime()
  var heading = ""
  var history: [String] = []
  var phoneNumbers: [String: String] = [:]
  func entry(for name: String) -> EventStream<String, Never> { .never }
  func suggestions(for text: String) -> EventStream<[String], Never> { .never }
  func send(_ file: File) -> EventStream<Receipt, Never> { .never }
  func contents(of page: Page) -> EventStream<String, Never> { .never }
}

@MainActor final class Label: ReactiveCompatible {
  var text = ""
}

extension Reactive where Base: Label {
  @MainActor var text: Binder<String> { Binder(base) { $0.text = $1 } }
}

@MainActor final class Button: LifetimeOwner {
  let lifetime = Lifetime()
  let taps = PushStream<Void>()
}

@MainActor final class Slider: LifetimeOwner {
  let lifetime = Lifetime()
  let position = Property(0.0)
}

@MainActor final class ProgressBar {
  var fraction = 0.0
}

@MainActor final class TextField: ReactiveCompatible {
  let text = Property("")
  let isValid = Property(true)
}

@MainActor final class Note {
  let text = Property("")
}

@MainActor final class Window: LifetimeOwner {
  let lifetime = Lifetime()
  let opened = PushStream<Void>()
}

@MainActor final class Mouse {
  let moves = PushStream<Point>()
  let released = PushStream<Void>()
}

@MainActor let label = Label()
@MainActor let saveButton = Button()
@MainActor let retryButton = Button()
@MainActor let bar = ProgressBar()
@MainActor let editor = TextField()
@MainActor let note = Note()
@MainActor let fields: [TextField] = []
@MainActor let window = Window()
@MainActor let mouse = Mouse()

// MARK: - Streams

@MainActor let numbers: EventStream<Int, Never> = .sequence(1...4)
@MainActor let seconds: EventStream<Int, Never> = .interval(.seconds(1))
@MainActor let names = PushStream<String>()
@MainActor let words: EventStream<String, Never> = .sequence(["a", "b", "a"])
@MainActor let lines: EventStream<String, Never> = .sequence(["1", "a", "3"])
@MainActor let taps = PushStream<Void>()
@MainActor let shortcuts = PushStream<Void>()
@MainActor let keys = PushStream<Character>()
@MainActor let messages = PushStream<Message>()
@MainActor let trades = PushStream<Trade>()
@MainActor let prices = PushStream<Double>()
@MainActor let measurements = PushStream<Double>()
@MainActor let users = PushStream<User>()
@MainActor let pages: EventStream<Page, Never> = .never
@MainActor let files: EventStream<File, Never> = .never
@MainActor let questions = PushStream<String>()
@MainActor let answers = PushStream<String>()
@MainActor let downloads: EventStream<EventStream<Page, Never>, Never> = .never

// MARK: - Properties

@MainActor let name = Property("Jim")
@MainActor let age = Property(33)
@MainActor let title = Property("")
@MainActor let searchText = Property("")
@MainActor let results = Property<[String]>([])
@MainActor let shelf = CollectionProperty(["Emma", "Dune", "It"])
@MainActor let guests = Property(["Jim"])
@MainActor let progress = Property(0.0)
@MainActor let isOnline = Property(true)

// MARK: - Operations that can fail

enum LoadError: Error, Equatable {
  case offline
  case timedOut
  case wrongCount(ElementCountError)
}

enum PageError: Error {
  case gone
  case notLoaded(LoadError)
}

@MainActor final class Server {
  /// Loads the front page.
  func load() -> EventStream<Page, LoadError> { .never }
  func loadUser() -> EventStream<User, LoadError> { .never }
  func search(_ text: String) -> EventStream<[String], LoadError> { .never }
  func loadUser(_ finish: @escaping (Result<User, LoadError>) -> Void) -> Request { Request() }
  /// The front page and its changes while the connection is open.
  let livePage: EventStream<Page, LoadError> = .never
  nonisolated func page(_ number: Int) async throws(LoadError) -> Page { Page() }
}

@MainActor struct Request {
  func cancel() {}
}

@MainActor let api = Server()
@MainActor let mirror = Server()
@MainActor let mirrors: [Server] = []
@MainActor let lastPage = Page()
@MainActor let pagesByName: [String: Page] = [:]

@MainActor final class File {
  init() {}
  init(_ path: String) throws(LoadError) {}
  let lines: EventStream<String, LoadError> = .never
  func close() {}
}

@MainActor let draft = File()
let path = "/etc/motd"
func read(_ path: String) throws(LoadError) -> String { throw .offline }
func parse(_ text: String) throws(LoadError) -> Page { throw .offline }

// MARK: - Values

struct User: Sendable, Equatable, Codable {
  var id = 0
  var name = ""
  var picture = ""
}

struct Message: Sendable {
  var sender = ""
  var text = ""
}

struct Trade: Sendable {
  var symbol = ""
  var price = 0.0
}

struct Point: Sendable, Equatable {
  var x = 0.0
  var y = 0.0
}

struct Page: Sendable, Equatable {}
struct Receipt: Sendable {}

// MARK: - Other contexts

let loop = EventLoop.main
let pool: any ExecutionContext = ThreadContext()
let worker: any ExecutionContext = ThreadContext()
let feed = AsyncStream<Double> { _ in }
@Sendable func slowly<Value>(_ value: Value) -> Value { value }
func log(_ text: String) {}

// MARK: - Actions

/// The values that the example has shown, in words.
@MainActor var shown: [String] = []
@MainActor func show<each Value>(_ values: repeat each Value) {
  for value in repeat each values { shown.append("\(value)") }
}
@MainActor func save<each Value>(_ values: repeat each Value) {}
@MainActor let saving: Completable<LoadError> = .completed
@MainActor let closing: Completable<LoadError> = .completed
@MainActor func login(_ name: String) -> Single<User, LoadError> { .just(User()) }
@MainActor func posts(of user: User) -> Single<[Message], LoadError> { .just([]) }
@MainActor func upload(_ file: File) -> EventStream<Receipt, Never> { .never }

// MARK: - Tests

@MainActor let scheduler = TestScheduler()

// MARK: - Descriptors and files

let socket: Int32 = -1
@Sendable func digest<Path>(of path: Path) -> Int { 0 }

@MainActor func receive(from socket: Int32) {}
@MainActor func sendMore(to socket: Int32) {}
@MainActor func load(_ path: String) {}

// MARK: - Network

/// The two ends of a connection.
@MainActor let client: Connection = ends.client
@MainActor let connection: Connection = ends.server

@MainActor private let ends: (client: Connection, server: Connection) = {
  var numbers: [Int32] = [-1, -1]
  socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers)
  return (adopted(numbers[0]), adopted(numbers[1]))
}()

@MainActor private func adopted(_ socket: Int32) -> Connection {
  var connection: Connection?
  Connection.connect(to: .descriptor(socket), on: EventLoop.main).observe(
    succeeded: { connection = $0 }, failed: { fatalError("\($0)") })
  guard let connection else { fatalError("A connected socket becomes a Connection at once.") }
  return connection
}

/// An echo server.
@MainActor let server: Listener = {
  do {
    let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
    server.connections.observeNext { client in
      client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
    }
    return server
  } catch {
    fatalError("\(error)")
  }
}()

@MainActor func serve(_ client: Connection) {}
var context: TLSClientContext { fatalError("Examples are not run.") }
var tls: TLSServerContext { fatalError("Examples are not run.") }

@MainActor var output: Writer { client.writer }
@MainActor let report = "report"
@MainActor let end = "end"
@MainActor var group: LoopGroup { fatalError("Examples are not run.") }

// MARK: - Services

actor Store {
  static func open() async throws -> Store { Store() }
  func close() async throws {}
  func reopen() async throws {}
}

@MainActor var service: Lifecycle { fatalError("Examples are not run.") }
@MainActor func restart() {}
@MainActor var sorting: ChildProcess { fatalError("Examples are not run.") }

// MARK: - Buses

@MainActor let bus = EventBus()
@MainActor let broker = TestBroker(on: TestScheduler()).client("example")

struct Saved: Sendable { let title: String }

enum Theme { case dark }

struct Price: BusRequest {
  typealias Reply = Int
  let title: String
}

func priceOnline(of title: String) async throws -> Int { 12 }

// MARK: - Foundation

let address = URL(filePath: "/")
@MainActor let packets = PushStream<[UInt8]>()
@MainActor let replies = PushStream<Data>()

extension Notification.Name {
  static let saved = Notification.Name("saved")
}

// MARK: - Delegates and callbacks

@Proxied
@MainActor
protocol SongListDelegate: AnyObject {
  func songList(_ list: SongList, didSelect song: String)
  @Default(true) func songList(_ list: SongList, shouldSelect song: String) -> Bool
  func songList(_ list: SongList, priceOf song: String) async -> Int
}

@MainActor final class SongList: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any SongListDelegate)?
  var rDelegate: SongListDelegateProxy { proxy(for: \.delegate) }
}

@MainActor let songs = SongList()

@MainActor final class SongController: SongListDelegate {
  func songList(_ list: SongList, didSelect song: String) {}
  func songList(_ list: SongList, priceOf song: String) async -> Int { 1 }
}

@MainActor let controller = SongController()

@MainActor final class Shop {
  func price(of song: String) async -> Int { 1 }
}

@MainActor let shop = Shop()

@Proxied
@MainActor
protocol FieldDelegate: AnyObject {
  func field(willChange text: inout String)
}

@MainActor final class Field: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any FieldDelegate)?
  var rDelegate: FieldDelegateProxy { proxy(for: \.delegate) }
}

@MainActor let field = Field()

@MainActor final class MusicPlayer {
  var onFinished: ((String, Int) -> Void)?
  var onStopped: (() -> Void)?
}

@MainActor let player = MusicPlayer()

func sensor_watch(
  _ function: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void,
  _ context: UnsafeMutableRawPointer?
) {}

@Observable
@MainActor final class Track: LifetimeOwner {
  let lifetime = Lifetime()
  var title = ""
}

@MainActor let track = Track()
