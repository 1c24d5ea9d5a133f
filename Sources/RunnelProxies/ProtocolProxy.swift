import RunnelStreams

/// A delegate object that turns calls of its protocol's requirements into streams.
///
/// The macro ``Proxied(refining:)`` generates the conforming classes.
///
///     songs.rDelegate.stream(\.songList_didSelect) { (push: PushStream<String>, _, song) in
///       push.next(song)
///     }.observeNext { show($0) }
///     songs.rDelegate.forwardTo = controller
///
/// - An *event* requirement has no result. Its calls reach every stream, and then ``forwardTo``.
/// - An *answer* requirement has a result. The answer comes from the closure of a stream, or else
///   from `forwardTo`, or else from the default; otherwise the call traps with the name of the
///   requirement. If several closures answer, all run in the order of observation, and the last
///   answer is returned.
/// - A stream is cold (C6): its closure runs only while the stream is observed.
/// - Streams complete when the owner of the proxy is released. The owner is the object that
///   ``ProxyHost/proxy(for:)`` installed it on; without one, the proxy itself.
///
/// *Events*: all streams of event requirements see the calls in one order, also if one call causes
/// the next (C2). A call of an answer requirement cannot be queued, so its closures run at once.
/// ``forwardTo`` is not queued either: it receives a call that an observer causes before the
/// streams do.
public protocol ProtocolProxy<Target>: AnyObject {
  /// The type with a key for each requirement that makes streams.
  associatedtype Requirements: AnyObject
  /// The protocol of the delegate.
  associatedtype Target

  /// The requirements with their current observers.
  var requirements: Requirements { get }
  /// The relations of the proxy to its owner and its target.
  var ties: ProxyTies { get }
  /// The target, which receives every call after the streams: the user's own delegate. Held weakly.
  var forwardTo: Target? { get set }

  /// Creates a proxy without an owner.
  init()
}

extension ProtocolProxy {
  /// Sets the target of all calls. If `retained` is true, the proxy keeps it alive until another
  /// one is set.
  ///
  ///     songs.rDelegate.forwardTo(SongController(), retained: true)
  public func forwardTo(_ target: Target?, retained: Bool) {
    forwardTo = target
    // The old target may have set another one when it was released.
    let isSet = forwardTo as AnyObject? === target as AnyObject?
    if retained && isSet { release(exchange(&ties.retained, with: target as AnyObject?)) }
  }
}

/// The relations of a proxy to its owner and its target.
public final class ProxyTies {
  /// The target, if the proxy keeps it alive.
  @exclusivity(unchecked) fileprivate(set) var retained: AnyObject?
  /// A stream that sends one element when the owner is released, or the proxy if it has no owner.
  private(set) lazy var ended = ownLifetime.endedAtHome
  private lazy var ownLifetime = Lifetime()
  private let home = Current.contextIfAny

  /// Creates the relations of a proxy without an owner.
  public init() {}

  /// Sets the owner: streams complete when this lifetime ends.
  func belong(to owner: Lifetime) {
    release(exchange(&ended, with: owner.endedAtHome))
  }

  /// Traps, because a requirement with a result has no answer.
  public static func unanswered(_ requirement: StaticString) -> Never {
    fatalError(
      """
      \(requirement) was called, but nothing answers it. Return a value from the closure of a \
      stream, set forwardTo, or add @Default to the requirement.
      """)
  }

  /// Traps if the proxy of a `Sendable` protocol is called on another context than its own (C11).
  public func requireHome(of proxy: AnyObject) {
    require(
      home?.admitsCaller ?? true,
      """
      \(type(of: proxy)) was called on another thread than that of its streams. Call it through \
      Remote(proxy), or isolate the protocol to a global actor.
      """)
  }

  /// Called by the proxy after its target was set.
  public func targetWasSet(to target: Any?, of proxy: AnyObject) {
    require(
      !leads(from: target, to: proxy),
      """
      \(type(of: proxy)).forwardTo is the proxy itself, or a proxy that forwards to it, which is \
      an endless loop. Set another object.
      """)
    release(exchange(&retained, with: nil))
  }
}

/// Returns true if calls to the delegate reach the proxy: it is the proxy, or forwards to it.
func leads(from delegate: Any?, to proxy: AnyObject) -> Bool {
  var next = delegate
  while let delegate = next.map({ $0 as AnyObject }) {
    if delegate === proxy { return true }
    next = (delegate as? any ProtocolProxy)?.target
  }
  return false
}

extension ProtocolProxy {
  /// The target as an untyped value.
  fileprivate var target: Any? { forwardTo.map { $0 as Any } }
}
