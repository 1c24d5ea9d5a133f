import RunnelStreams

/// A class whose objects keep the proxies that were installed on them, so that these live as long as
/// the object does. It takes one stored property:
///
///     @MainActor final class Jukebox: ProxyHost {
///       let proxies = ProxyStore()
///       weak var delegate: (any SongListDelegate)?
///     }
///
/// For a class that is not yours, make the proxy and hold it yourself:
///
///     let proxy = SongListDelegateProxy()
///     songs.delegate = proxy
public protocol ProxyHost: LifetimeOwner {
  /// Made with the object, and kept by nobody else.
  var proxies: ProxyStore { get }
}

extension ProxyHost {
  /// The life of the object: `rx.deallocated()`.
  public var lifetime: Lifetime { proxies.lifetime }

  /// The proxy in a slot for a delegate, which is installed there.
  ///
  ///     @MainActor extension SongList {
  ///       var rSongs: SongListDelegateProxy { proxy(for: \.delegate) }
  ///     }
  ///
  /// There is one for each slot, made when it is first asked for. The delegate that it finds there,
  /// then or later, because somebody set one in the meantime, becomes its ``ProtocolProxy/forwardTo``.
  /// Another proxy that leads here stays in the slot, so that calls reach both.
  public func proxy<Proxy: ProtocolProxy>(
    for slot: ReferenceWritableKeyPath<Self, Proxy.Target?>
  ) -> Proxy {
    let present = self[keyPath: slot]
    let proxy: Proxy = proxies.proxy(for: slot, where: present)
    if !leads(from: present, to: proxy) {
      proxy.forwardTo = present
      self[keyPath: slot] = proxy as? Proxy.Target
    }
    return proxy
  }
}

// Safety: the key path of a slot can only be made in the domain of the object, and the store is only
// touched with one; that it is `Sendable` lets main-actor classes keep it without a word.
/// The proxies of one object.
public final class ProxyStore: @unchecked Sendable {
  let lifetime = Lifetime()
  private var installed: [AnyKeyPath: AnyObject] = [:]

  /// The proxies of a new object: none.
  public init() {}

  func proxy<Proxy: ProtocolProxy>(for slot: AnyKeyPath, where present: Any?) -> Proxy {
    if let proxy = installed[slot] as? Proxy { return proxy }
    let proxy = own(present) ?? Proxy()
    proxy.ties.belong(to: lifetime)
    release(installed.updateValue(proxy, forKey: slot))
    return proxy
  }

  /// What stands in the slot already, if it was made here: the slot's key path is another one where
  /// it begins at a subclass.
  private func own<Proxy: ProtocolProxy>(_ present: Any?) -> Proxy? {
    guard let present = present as? Proxy else { return nil }
    return installed.values.contains { $0 === present } ? present : nil
  }
}
