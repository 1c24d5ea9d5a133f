import CSockets
import Glibc
import RunnelLoop
import RunnelStreams

/// The look-ups of names, each on a thread of its own.
///
/// A look-up cannot be cancelled, so a name server that does not answer holds its thread until the C
/// library gives up. Therefore there may be many threads, a name is looked up once for all that wait
/// for it, and a name for which nobody waits any more gets no thread.
final class Resolver: Sendable {
  typealias Addresses = Result<[IPAddress], SocketError.Cause>
  private typealias Waiter = HomeObserver<[IPAddress], SocketError.Cause>

  private struct State {
    var waiters: [String: [Waiter]] = [:]
    /// The names that wait for a thread.
    var names = Queue<String>()
    var threads = 0
  }

  private let state = Monitor(State())
  private let maximum: Int
  private let lookUp: @Sendable (String) -> Addresses

  static let shared = Resolver(maximum: mostThreads) { Resolver.addresses(of: $0) }

  /// Each look-up opens a descriptor. Half of them stay free for other uses.
  private static let mostThreads: Int = {
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return max(32, Int(clamping: min(1_100, limits.rlim_cur / 2)))
  }()

  /// Creates a resolver of at most `maximum` threads.
  init(maximum: Int, _ lookUp: @escaping @Sendable (String) -> Addresses) {
    self.maximum = maximum
    self.lookUp = lookUp
  }

  /// The addresses of a name in both families: none if the name does not exist.
  ///
  /// *Disposal*: a look-up that has not begun is cancelled.
  func addresses(of name: String) -> EventStream<[IPAddress], SocketError.Cause> {
    .unguarded { [self] observer in
      let waiter = Waiter(observer, at: Current.context(orOf: nil), isWork: true)
      let startsThread = state.withLock { state in
        let isNew = state.waiters[name] == nil
        state.waiters[name, default: []].append(waiter)
        guard isNew else { return false }
        state.names.append(name)
        guard state.threads < maximum else { return false }
        state.threads += 1
        return true
      }
      if startsThread { startThread() }
    }
  }

  private func startThread() {
    let thread = startThreadIfAllowed(stackSize: 1 << 18) { [self] in
      nameThread("resolver")
      while let name = nextName() { finish(name, lookUp(name)) }
    }
    if let thread {
      pthread_detach(thread)
      return
    }
    // The other threads go on with the names.
    let isLast = state.withLock { state in
      if state.threads == 1 { return true }
      state.threads -= 1
      return false
    }
    guard isLast else { return }
    while let name = nextName() {
      finish(name, .failure(.resolution("the system could not start a thread")))
    }
  }

  /// Takes a name for which somebody waits. Returns nil after removing the calling thread.
  private func nextName() -> String? {
    var cancelled: [Waiter] = []
    // Released without the lock, because a release may run other code.
    defer { withExtendedLifetime(cancelled) {} }
    return state.withLock { state in
      while let name = state.names.popFirst() {
        let waiters = state.waiters[name] ?? []
        if waiters.contains(where: { !$0.isCancelled }) { return name }
        cancelled += waiters
        state.waiters[name] = nil
      }
      state.threads -= 1
      return nil
    }
  }

  private func finish(_ name: String, _ addresses: Addresses) {
    for waiter in state.withLock({ $0.waiters.removeValue(forKey: name) }) ?? [] {
      switch addresses {
      case .success(let addresses): waiter.complete(with: addresses)
      case .failure(let cause): waiter.end(.failed(cause))
      }
    }
  }

  /// Asks the C library for the addresses of a name.
  private static func addresses(of name: String) -> Addresses {
    var addresses = [runnel_address](repeating: runnel_address(), count: 64)
    var error: Int32 = 0
    let count = runnel_resolve(name, &addresses, Int32(addresses.count), &error)
    if count >= 0 {
      return .success(addresses[..<Int(count)].compactMap { SocketAddress($0).host })
    }
    switch count {
    // No address: EAI_NODATA and EAI_ADDRFAMILY are not in the Glibc module.
    case EAI_NONAME, -5, -9: return .success([])
    case EAI_SYSTEM: return .failure(SocketError.Cause(errno: error))
    default: return .failure(.resolution(String(cString: runnel_resolve_message(count))))
    }
  }
}
