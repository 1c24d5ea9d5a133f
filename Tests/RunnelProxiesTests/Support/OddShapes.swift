import RunnelProxies
import RunnelStreams

// Shapes that RunnelExpansionsTests expands and Shapes.swift lacks. Compiling them here proves that
// the compiler accepts the expansions.

final class Box {}
enum Storages {
  @globalActor actor OtherActor { static let shared = OtherActor() }
}
infix operator =>
postfix operator ++

@Proxied
protocol OddNamesDelegate: AnyObject {
  func `went wrong`(`my label` x: Int)
  func größe(_ übel: Int)
  func 😀(日本 x: Int)
  func ask(answer: Int, _ target: inout Int, InoutArgument x: Int) -> Int
  func move(in: Int, `inout`: Int, `let` x: Int..., `self` y: Int)
  func tell(
    oddNamesDelegateTarget: Int, _ oddNamesDelegateRequirements: Int, _ InoutArgument: Int,
    self: Int)
  func change(_ text: inout String, _ textArgument: Int, apply: Int, call: Int...) -> Int
  func Requirements()
  func stream(_ x: Int)
  func answer() -> Int
  func send()
  var `class`: Int { get set }
  var `a b`: Int { get set }
  var target: Int { get }
  var newValue: Int { get set }
  subscript(target: Int, _: Int) -> Int { get }
  subscript(newValue newValue: Int) -> Int { get set }
  static func => (target: Self, argument: inout Int)
  static postfix func ++ (x: Self) throws -> Int
}
@Proxied
protocol OddKeysDelegate: AnyObject {
  func count_set(_ x: Int)
  var count: Int { get set }
  func a_b(_ x: Int)
  func a(_ x: Int, b: Int)
  func over() -> Int
  func over() -> String
  func over()
  func `self`()
  func `init`(_ x: Int) -> Int
  func Type()
}
@Proxied
protocol OddMethodsDelegate: AnyObject {
  func note(_ text: @autoclosure () throws -> String)
  func keep(_ text: @autoclosure @escaping () async throws -> String) async
  func wrap(_ a: (Int) -> Int, _ b: () throws -> Void) throws(Bad) -> Int
  func wait(_ body: () -> Void) async -> Int
  func change(_ text: inout String) async throws -> Bool
  func parse() throws(Never) -> Int
  func take(_ x: sending Box)
  func make() -> sending Box
  func told(_ actor: isolated StorageActor, _ x: Int)
  func pack<each T>(_ value: repeat each T)
  func log<T>(_ items: T...)
  func pair() -> (Int, String)
  func action() -> () -> Void
  var onEvent: ((Int) -> Void)? { get set }
  @Default(true) func same<T: Equatable>(_ value: T, _ other: T) -> Bool
  @Default("") subscript(_ row: Int) -> String { get set }
  subscript(async row: String) -> String { get async throws(Bad) }
  subscript<Key: Hashable>(key key: Key) -> Int { get set }
  func commented(
    _ x: Int,  // the first
    // and
    by name: String  // the second
  )  // done
}

@RunnelProxies.Proxied()
protocol QualifiedDelegate: AnyObject {
  @RunnelProxies.Default(true) func asked() -> Bool
}
@Proxied protocol `my delegate`: AnyObject { func told() }
@Proxied(refining: `my delegate`.self)
protocol MyChildDelegate: `my delegate` { func my_delegate() }
@Proxied protocol `class`: AnyObject { func told() }
@Proxied protocol ConstrainedDelegate where Self: AnyObject { func told() }
@Proxied protocol ComposedDelegate: AnyObject & Sendable { func told() }
@Proxied @Storages.OtherActor protocol OtherActorDelegate: AnyObject { func told() }
@Proxied nonisolated protocol NonisolatedDelegate: AnyObject { @Default func told() }
@Proxied package protocol PackageDelegate: AnyObject { @Default(1) func asked() -> Int }
/// A protocol that is visible to `@_spi(Testing)` imports only.
@_spi(Testing) @Proxied public protocol FriendDelegate: AnyObject { func told() }

@Proxied
protocol DemandingDelegate<Item>: AnyObject where Item: Hashable {
  associatedtype Item: Collection where Self.Item.Element == Int
  func told(_ x: Item) -> Self.Item.Element
}
@Proxied
protocol AddingDelegate<Item>: AnyObject {
  associatedtype Item
  static func += (lhs: Self, rhs: Self.Item)
}
@Proxied(refining: (any DemandingDelegate).self)
protocol DemandingChildDelegate<Item, Own>: DemandingDelegate
where Item: Collection<Int> & Hashable {
  associatedtype Own
  func child(_ x: Item, _ own: Own)
}
@Proxied(refining: (any DemandingChildDelegate<[Int], String>).self)
protocol DemandingGrandchildDelegate: DemandingChildDelegate where Item == [Int], Own == String {
  func grandchild()
}

package enum Nest {
  package struct Row {}
  /// A protocol whose effective access is lower than declared.
  @Proxied public protocol Delegate: AnyObject { func told(_ row: Nest.Row) }
  @Proxied(refining: Nest.Delegate.self) fileprivate protocol Child: Delegate { func child() }
  enum Inner {
    /// A protocol whose effective access is `internal` despite its `public`.
    @Proxied public protocol Delegate: AnyObject { @Default(1) func asked() -> Int }
  }
}
extension Nest.Inner {
  @Proxied(refining: Nest.Delegate.self) protocol Extended: Nest.Delegate { func told() }
}
@Proxied(refining: Nest.Child.self)
private protocol NestGrandchild: Nest.Child { func grandchild() }

@Proxied protocol OperatorDelegate: AnyObject { static func += (lhs: Self, rhs: Int) }
extension OperatorDelegate where Self: OperatorDelegateForwarding {
  static func += (lhs: Self, rhs: Int) {
    func apply(_ lhs: some OperatorDelegate) { lhs += rhs }
    if let target = lhs.operatorDelegateTarget { apply(target) }
  }
}
@Proxied(refining: OperatorDelegate.self) protocol OperatorChildDelegate: OperatorDelegate {}
