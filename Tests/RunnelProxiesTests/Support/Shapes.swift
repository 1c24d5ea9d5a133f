import RunnelProxies
import RunnelStreams
import Testing

struct Bad: Error {}
@globalActor actor StorageActor { static let shared = StorageActor() }
enum Theme { case dark, light }

@Proxied
protocol ShapesDelegate: AnyObject {
  func plain()
  func plain(_ a: Int)
  func plain(b: Int)
  func over(_ a: Int)
  func over(_ a: String)
  func over(_ a: [Int: String]) -> Int
  func over(_ a: [Int: String]) -> String
  func unnamed(_: Int, with _: String)
  func change(_ text: inout String)
  func changeAnswer(_ text: inout String, by x: Int) -> Bool
  func log(_ items: Int...)
  func log(title: String, items: String...) -> Int
  func load(_ id: Int) async -> String
  func loadThrowing(_ id: Int) async throws -> String
  func tell() async
  func tellThrowing() async throws
  func parse(_ text: String) throws -> Int
  func parseTyped(_ text: String) throws(Bad) -> Int
  func failing() throws(Bad)
  func with(_ body: () -> Void)
  func withEscaping(_ body: @escaping @Sendable (Int) -> Void)
  func withAnswer(_ body: (Int) -> Int, _ x: Int) -> Int
  func withThrowing(_ body: (Int) throws -> Int) throws -> Int
  func withRethrowing(_ body: (Int) throws -> Int) rethrows -> Int
  func lazily(_ message: @autoclosure () -> String)
  func lazilyKept(_ message: @autoclosure @escaping () -> String) -> Int
  func optional(_ a: Int?) -> Int?
  func unwrapped(_ a: Int!) -> String!
  var title: String { get }
  var count: Int { get set }
  @Default(Theme.dark) var theme: Theme { get set }
  var throwing: Int { get throws }
  var asynchronous: Int { get async throws(Bad) }
  subscript(row: Int) -> String { get }
  subscript(key key: String) -> String { get set }
  static func += (lhs: Self, rhs: Int)
  static prefix func - (x: Self) -> Int
  func generic<T: Equatable>(_ value: T, _ other: T) -> Bool
  func opaque(_ value: some Equatable)
  func anything(_ value: any Error)
  func `default`(_ in: Int, `class`: Int)
  func move(in: Int, for: String)
  @Default(true) func should(_ a: Int) -> Bool
  @Default func did(_ a: Int)
  @Default(Int?.none) func maybe() -> Int?
  @Default([Int]()) func list() -> [Int]
  @available(*, deprecated, message: "old") func old()
  @discardableResult func perform() -> Bool
  /// Documented.
  /// Twice.
  func documented()
  /** Block. */
  func block()
  #if DEBUG
  func debugOnly(_ x: Int)
  #if os(Linux)
  @Default func linuxOnly()
  #endif
  #else
  func debugOnly(_ x: String)
  #endif
  func answer(_ target: Int) -> Int
  func target(_ answer: Int) -> Int
  func tuple(_ pair: (Int, String))
  func closureOptional(_ done: (() -> Void)?)
  func take(_ x: consuming String, _ y: borrowing [Int])
}

/// A protocol that other modules can see.
@Proxied
public protocol PublicDelegate: AnyObject {
  func told(_ x: Int)
  @Default(1) func asked() -> Int
  var x: Int { get set }
}
@Proxied
fileprivate protocol FileDelegate: AnyObject { func told(_ x: Int) }
@Proxied
private protocol PrivateDelegate: AnyObject { func told(_ x: Int) }
@Proxied @MainActor
protocol MainDelegate: AnyObject {
  func told(_ x: Int)
  func asked(_ x: Int) async throws -> Int
  func log(_ items: Int...)
  func with(_ body: () -> Void)
  var x: Int { get set }
  @Default(1) func asked() -> Int
}
@Proxied @StorageActor
protocol StorageDelegate: AnyObject { func told(_ x: Int); func asked(_ x: Int) -> Int }
@Proxied
protocol SendableDelegate: AnyObject, Sendable { func told(_ x: Int); func asked(_ x: Int) -> Int }
@Proxied @MainActor
protocol MainSendableDelegate: AnyObject, Sendable { func told(_ x: Int) }
@Proxied
protocol PickerDelegate<Item, Other>: AnyObject {
  associatedtype Item: Hashable
  associatedtype Other where Other: Equatable
  func picked(_ item: Item, other: Other)
  func price(of item: Item) -> Int
  func items() -> [Self.Item]
}
@Proxied
protocol MixedDelegate: AnyObject {
  @MainActor func told(_ x: Int)
  @MainActor func asked(_ x: Int) -> Int
}
enum Outer {
  @Proxied
  protocol NestedDelegate: AnyObject { func told(_ x: Int); @Default(1) func asked() -> Int }
}
@Proxied
protocol EmptyDelegate: AnyObject {}
@Proxied
protocol GrandDelegate: AnyObject { func grand(_ x: Int); func grandAsked() -> Int }
@Proxied(refining: GrandDelegate.self)
protocol ParentDelegate: GrandDelegate { func parent(_ x: Int) }
@Proxied(refining: ParentDelegate.self, FileDelegate.self)
private protocol ChildDelegate: ParentDelegate, FileDelegate { func child(_ x: Int) }
@Proxied(refining: (any PickerDelegate<Int, String>).self)
protocol NumberPickerDelegate: PickerDelegate where Item == Int, Other == String {
  func number(_ x: Int)
}
