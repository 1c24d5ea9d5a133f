import RunnelStreams

/// An object that stands in for a delegate and makes streams of what it is told and asked.
///
/// The macro ``Proxied(refining:)`` writes the classes that conform.
///
///     songs.rDelegate.stream(\.songList_didSelect) { (push: PushStream<String>, _, song) in
///       push.next(song)
///     }.observeNext { show($0) }
///     songs.rDelegate.forwardTo = controller
///
/// - What it is *told* (a method without a result) reaches every stream, and then ``forwardTo``.
/// - What it is *asked* is answered by the closure of a stream; else by `forwardTo`; else by the
///   default; else it is a trap that names the requirement. Where several closures answer, all run in
///   the order of their observation, and the latest one's word counts.
/// - A stream is cold (C6): its closure takes part while the stream is observed.
/// - Streams complete when the owner of the proxy goes: the object that ``ProxyHost/proxy(for:)``
///   installed it on, else whoever holds it.
///
/// *Events*: all streams of what it is told see it in one order, also where one of them causes the next
/// (C2). What it is asked cannot wait: then closures run at once. Nor does ``forwardTo`` wait: it has a
/// call that an observer of a stream causes before the streams have it.
public protocol ProtocolProxy: AnyObject {
  /// The keys: an object with a property for each requirement that makes streams.
  associatedtype Requirements: AnyObject
  /// The protocol.
  associatedtype Target

  /// What is listened to and answered at present.
  var requirements: Requirements { get }
  /// What ties it to its owner and its target.
  var ties: ProxyTies { get }
  /// Who gets every call after the streams: the user's own delegate. It is not kept alive.
  var forwardTo: Target? { get set }

  /// A proxy that nobody owns but its holder.
  init()
}

extension ProtocolProxy {
  /// Sets who gets every call after the streams, and keeps it alive until another one is set.
  ///
  ///     songs.rDelegate.forwardTo(SongController(), retained: true)
  public func forwardTo(_ target: Target?, retained: Bool) {
    forwardTo = target
    if retained { release(exchange(&ties.retained, with: target as AnyObject?)) }
  }
}

/// What ties a proxy to its owner and its target.
public final class ProxyTies {
  /// The target, where the proxy keeps it alive.
  @exclusivity(unchecked) fileprivate(set) var retained: AnyObject?
  /// Sends one element when the owner of the proxy goes: who holds it, until it belongs to another.
  private(set) lazy var ended = ownLifetime.endedAtHome
  private lazy var ownLifetime = Lifetime()
  private let home = Current.contextIfAny

  /// The ties of a proxy that nobody owns but its holder.
  public init() {}

  /// From now on streams complete with this lifetime.
  func belong(to owner: Lifetime) {
    release(exchange(&ended, with: owner.endedAtHome))
  }

  /// Traps: a requirement that must be answered has nobody who does.
  public static func unanswered(_ requirement: StaticString) -> Never {
    fatalError(
      """
      \(requirement) was asked, and nobody answers. Answer it from a stream's closure, set \
      forwardTo, or give the requirement a @Default.
      """)
  }

  /// Traps where the proxy of a `Sendable` protocol is called on another context than its own (C11).
  public func requireHome(of proxy: AnyObject) {
    require(
      home?.isCurrent ?? true,
      """
      \(type(of: proxy)) was called on another thread than that of its streams. Send the call home, \
      through Remote(proxy), or isolate the protocol to a global actor.
      """)
  }

  /// Called by the proxy when its target is set.
  public func targetWasSet(to target: Any?, of proxy: AnyObject) {
    require(
      !leads(from: target, to: proxy),
      """
      \(type(of: proxy)).forwardTo is the proxy itself, or a proxy that forwards to it, so calls would \
      never end. Set another object.
      """)
    release(exchange(&retained, with: nil))
  }
}

/// Whether calls of a delegate reach a proxy: it is the one, or one that forwards to it.
func leads(from delegate: Any?, to proxy: AnyObject) -> Bool {
  var next = delegate
  while let delegate = next.map({ $0 as AnyObject }) {
    if delegate === proxy { return true }
    next = (delegate as? any ProtocolProxy)?.target
  }
  return false
}

extension ProtocolProxy {
  /// The target without its type.
  fileprivate var target: Any? { forwardTo.map { $0 as Any } }
}
