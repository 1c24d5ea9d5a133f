import RunnelStreams

/// A stream of the calls of a callback: a closure that an object calls, or a C function with a
/// context.
///
///     let finished = CallbackProxy(of: player) { $0.onFinished = $1 }
///     finished.stream.observeNext { song, seconds in show("\(song): \(seconds) s") }
///
/// A C function cannot capture values. It gets the proxy from its context pointer:
///
///     let readings = CallbackProxy<Int32>()
///     sensor_watch({ CallbackProxy<Int32>.at($1).send($0) }, readings.context)
///     readings.stream.observeNext { show($0) }
///
/// *Events*: a call during the handling of another one is queued (C2). The stream completes when
/// the proxy is released.
///
/// *Threads*: the proxy belongs to the context that created it. A call from another thread traps
/// (C11). If other threads call, send the value through a remote: create `let remote =
/// Remote(readings)`, and in the callback call `remote.send { $0.send(value) }`.
public final class CallbackProxy<Element> {
  private let calls = PushStream<Element>()
  private let lifetime = Lifetime()
  private let home = Current.contextIfAny

  /// Creates a proxy that the program sends to.
  public init() {}

  /// Creates a proxy for a closure property of an object. `install` assigns the given closure.
  ///
  ///     let stopped = CallbackProxy(of: player) { $0.onStopped = $1 }
  ///     stopped.stream.observeNext { show("stopped") }
  ///
  /// To keep an earlier closure, call it from the new one:
  ///
  ///     let played = CallbackProxy(of: player) {
  ///       (player: MusicPlayer, send: @escaping (String, Int) -> Void) in
  ///       let former = player.onFinished
  ///       player.onFinished = { send($0, $1); former?($0, $1) }
  ///     }
  ///     played.stream.observeNext { song, _ in show(song) }
  ///
  /// When the proxy is released, the callback does nothing.
  public init<Owner, each Argument>(
    of owner: Owner,
    install: (Owner, @escaping (repeat each Argument) -> Void) -> Void
  ) where Element == (repeat each Argument) {
    install(owner) { [weak self] (argument: repeat each Argument) in
      self?.send((repeat each argument))
    }
  }

  /// The stream of the calls.
  public var stream: EventStream<Element, Never> { calls.stream.take(until: lifetime.endedAtHome) }

  /// Sends a call to the observers.
  public func send(_ element: Element) {
    require(
      home?.admitsCaller ?? true,
      """
      \(Self.self) was called on another thread than that of its observers. Use a remote: let \
      remote = Remote(proxy), and in the callback remote.send { $0.send(value) }.
      """)
    calls.next(element)
  }

  /// The context pointer for a C function.
  ///
  /// The caller must retain the proxy for as long as the C code may call.
  public var context: UnsafeMutableRawPointer {
    // Safety: the pointer does not retain the proxy, which the caller retains while `at(_:)` may be
    // called.
    Unmanaged.passUnretained(self).toOpaque()
  }

  /// Returns the proxy whose ``context`` a C function received.
  public static func at(_ context: UnsafeMutableRawPointer?) -> CallbackProxy {
    guard let context else {
      fatalError("The C function got no context. Pass \(Self.self).context when installing it.")
    }
    // Safety: the pointer is the context of a proxy, which the caller retains.
    let found = Unmanaged<AnyObject>.fromOpaque(context).takeUnretainedValue()
    guard let proxy = found as? CallbackProxy else {
      fatalError(
        """
        The C function got the context of a \(type(of: found)) instead of a \(Self.self). Pass the \
        context of the right proxy.
        """)
    }
    return proxy
  }
}
