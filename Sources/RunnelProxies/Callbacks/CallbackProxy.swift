import RunnelStreams

/// Makes a stream of a callback: a closure that some object calls, or a C function with a context.
///
///     let finished = CallbackProxy(of: player) { $0.onFinished = $1 }
///     finished.stream.observeNext { song, seconds in show("\(song): \(seconds) s") }
///
/// A C function cannot capture anything, so it finds the proxy through the pointer that it gets:
///
///     let readings = CallbackProxy<Int32>()
///     sensor_watch({ CallbackProxy<Int32>.at($1).send($0) }, readings.context)
///     readings.stream.observeNext { show($0) }
///
/// *Events*: a call made while observers handle one waits its turn (C2). The stream completes when the
/// proxy goes.
///
/// *Threads*: the proxy lives where it was made, and a call from another thread traps (C11). Where
/// calls come from elsewhere, send what they bring home: `let remote = Remote(readings)`, and in the
/// callback `remote.send { $0.send(value) }`.
public final class CallbackProxy<Element> {
  private let calls = PushStream<Element>()
  private let lifetime = Lifetime()
  private let home = Current.contextIfAny

  /// A proxy for you to send to.
  public init() {}

  /// A proxy of a closure that an object calls. The given closure puts it in its place.
  ///
  ///     let stopped = CallbackProxy(of: player) { $0.onStopped = $1 }
  ///     stopped.stream.observeNext { show("stopped") }
  ///
  /// A closure that was there before goes on being called if the new one calls it:
  ///
  ///     let played = CallbackProxy(of: player) {
  ///       (player: MusicPlayer, send: @escaping (String, Int) -> Void) in
  ///       let former = player.onFinished
  ///       player.onFinished = { send($0, $1); former?($0, $1) }
  ///     }
  ///     played.stream.observeNext { song, _ in show(song) }
  ///
  /// When the proxy is gone, the callback does nothing.
  public init<Owner, each Argument>(
    of owner: Owner,
    install: (Owner, @escaping (repeat each Argument) -> Void) -> Void
  ) where Element == (repeat each Argument) {
    install(owner) { [weak self] (argument: repeat each Argument) in
      self?.send((repeat each argument))
    }
  }

  /// The calls.
  public var stream: EventStream<Element, Never> { calls.stream.take(until: lifetime.endedAtHome) }

  /// Tells observers of a call.
  public func send(_ element: Element) {
    require(
      home?.isCurrent ?? true,
      """
      \(Self.self) was called on another thread than that of its observers. Send the call home: \
      let remote = Remote(proxy), and in the callback remote.send { $0.send(value) }.
      """)
    calls.next(element)
  }

  /// What to give a C function as its context.
  ///
  /// The proxy must be kept for as long as the C side may call.
  public var context: UnsafeMutableRawPointer {
    // Safety: the pointer counts nothing; `at(_:)` is called while the proxy is kept, as promised.
    Unmanaged.passUnretained(self).toOpaque()
  }

  /// The proxy whose ``context`` a C function got.
  public static func at(_ context: UnsafeMutableRawPointer?) -> CallbackProxy {
    guard let context else {
      fatalError("The C function got no context. Give \(Self.self).context where it is installed.")
    }
    // Safety: it is the context of a proxy, which is still kept.
    let found = Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue()
    guard let proxy = found as? CallbackProxy else {
      fatalError(
        """
        The C function got the context of a \(type(of: found)), and looks for a \(Self.self). Give it \
        the context of the proxy that it looks for.
        """)
    }
    return proxy
  }
}
