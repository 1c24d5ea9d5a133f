import RunnelStreams

/// A class whose objects retain the proxies that are installed on them. It needs one stored
/// property:
///
///     @MainActor final class Jukebox: ProxyHost {
///       let proxies = ProxyStore()
///       weak var delegate: (any SongListDelegate)? { didSet { keepProxy(for: \.delegate) } }
///     }
///
/// For a class of another module, create the proxy and retain it yourself:
///
///     let proxy = SongListDelegateProxy()
///     songs.delegate = proxy
public protocol ProxyHost: LifetimeOwner {
  /// The store of the proxies, created with the object and stored only in it.
  var proxies: ProxyStore { get }
}

extension ProxyHost {
  /// The lifetime of the object, for `rx.deallocated()`.
  public var lifetime: Lifetime { proxies.lifetime }

  /// Returns the proxy for a delegate property, and installs it there.
  ///
  ///     @MainActor extension SongList {
  ///       var rSongs: SongListDelegateProxy { proxy(for: \.delegate) }
  ///     }
  ///
  /// Each property has one proxy, which is created at the first call. A delegate that is found in
  /// the property, at this or a later call, becomes the ``ProtocolProxy/forwardTo`` of the proxy.
  /// Another proxy that forwards to this one stays in the property, so calls reach both.
  public func proxy<Proxy: ProtocolProxy>(
    for slot: ReferenceWritableKeyPath<Self, Proxy.Target?>
  ) -> Proxy {
    let proxy: Proxy = proxies.proxy(for: slot, where: self[keyPath: slot])
    install(proxy, in: slot)
    return proxy
  }

  /// Keeps the proxy of a delegate property installed when another delegate is assigned. The new
  /// delegate becomes the ``ProtocolProxy/forwardTo`` of the proxy, and its streams continue.
  ///
  ///     @MainActor final class Radio: ProxyHost {
  ///       let proxies = ProxyStore()
  ///       weak var delegate: (any SongListDelegate)? { didSet { keepProxy(for: \.delegate) } }
  ///       var rDelegate: SongListDelegateProxy { proxy(for: \.delegate) }
  ///     }
  ///
  /// Without a proxy, this method does nothing. The key path must be written in the class whose
  /// code calls ``proxy(for:)``: that of a subclass differs.
  public func keepProxy<Target>(for slot: ReferenceWritableKeyPath<Self, Target?>) {
    guard let proxy = proxies.installed[slot] as? any ProtocolProxy<Target> else { return }
    install(proxy, in: slot)
  }

  private func install<Target>(
    _ proxy: any ProtocolProxy<Target>, in slot: ReferenceWritableKeyPath<Self, Target?>
  ) {
    let present = self[keyPath: slot]
    if leads(from: present, to: proxy) { return }
    proxy.forwardTo = present
    self[keyPath: slot] = proxy as? Target
  }
}

// Safety: a key path to the property can only be formed in the domain of the object, and the store
// is only used with such a key path. The conformance lets main-actor classes store it without an
// annotation.
/// The proxies of one object.
public final class ProxyStore: @unchecked Sendable {
  let lifetime = Lifetime()
  fileprivate var installed: [AnyKeyPath: AnyObject] = [:]

  /// Creates an empty store.
  public init() {}

  func proxy<Proxy: ProtocolProxy>(for slot: AnyKeyPath, where present: Any?) -> Proxy {
    if let proxy = installed[slot] as? Proxy { return proxy }
    let proxy = own(present) ?? Proxy()
    proxy.ties.belong(to: lifetime)
    release(installed.updateValue(proxy, forKey: slot))
    return proxy
  }

  /// Returns the current value of the property if this store created it. A subclass can refer to
  /// the same property with another key path.
  private func own<Proxy: ProtocolProxy>(_ present: Any?) -> Proxy? {
    guard let present = present as? Proxy else { return nil }
    return installed.values.contains { $0 === present } ? present : nil
  }
}
