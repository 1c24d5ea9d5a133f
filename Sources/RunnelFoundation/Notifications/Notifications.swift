import Foundation
import RunnelStreams

extension NotificationCenter: ReactiveCompatible {}

extension Reactive where Base: NotificationCenter {
  /// Returns the notifications that are posted on this thread or by this actor. A nil name matches
  /// all names, and a nil object matches all objects.
  ///
  ///     NotificationCenter.default.rx.notification(.saved, object: editor)
  ///       .observeNext { show($0.userInfo?["title"]) }
  ///
  /// A notification is not `Sendable`, and the poster may keep using its contents. A notification
  /// that is posted on another thread than the observer's therefore traps (C11). If that can
  /// happen, extract `Sendable` values with ``notification(_:object:isolation:_:)``.
  ///
  /// *Events*: sent before `post` returns (C7), unless the observer is handling another one (C2).
  /// The center notifies its observers in no particular order. The observers of one `share()` are
  /// notified in the order of their subscription (C3). The object is not kept alive. If it is a
  /// `LifetimeOwner`, the stream completes when it is released; otherwise the stream never ends.
  ///
  /// *Disposal*: removes the observer from the center.
  public func notification(
    _ name: Notification.Name?, object: AnyObject? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) -> EventStream<Notification, Never> {
    // The main actor is recognised by its thread.
    let actor = isolation === MainActor.shared ? nil : isolation
    let isInActor = actor != nil
    return posts(name, object, isolation) { [weak actor] notification, homeObserver in
      if !homeObserver.isHome {
        require(isInActor, postedElsewhere)
        // A released actor has no observers.
        guard let actor else { return }
        actor.preconditionIsolated(postedElsewhere)
      }
      homeObserver.nextAtHome(notification)
    }
  }

  /// Returns values that a closure extracts from notifications that any thread posts. A nil name
  /// matches all names, and a nil object matches all objects.
  ///
  ///     NotificationCenter.default.rx.notification(.saved) { $0.userInfo?["title"] as? String }
  ///       .compactMap { $0 }
  ///       .observeNext { show($0) }
  ///
  /// *Events*: the closure runs on the posting thread, and may run on several threads at the same
  /// time. Its result is delivered on the context that the stream is observed on: the actor that
  /// this method is called in, or else the thread's context, which must exist. If `post` is called
  /// on that context's thread, the result is sent before `post` returns, otherwise in a later job.
  /// Notifications from one thread arrive in order. The name, the object and the end are treated as
  /// in ``notification(_:object:isolation:)``.
  ///
  /// *Disposal*: removes the observer from the center. A closure that is running on another thread
  /// finishes.
  public func notification<Value: Sendable>(
    _ name: Notification.Name?, object: AnyObject? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ transform: @escaping @Sendable (Notification) -> Value
  ) -> EventStream<Value, Never> {
    posts(name, object, isolation) { notification, homeObserver in
      homeObserver.nextSoon(transform(notification))
    }
  }

  private func posts<Element>(
    _ name: Notification.Name?, _ object: AnyObject?, _ actor: (any Actor)?,
    _ handle: @escaping @Sendable (Notification, HomeObserver<Element, Never>) -> Void
  ) -> EventStream<Element, Never> {
    let center = base
    let poster = Poster(object)
    let posts = EventStream<Element, Never>.unguarded { observer in
      guard !poster.isGone else { return }
      let receiver = Receiver(
        poster, HomeObserver(observer, at: Current.context(orOf: actor)), handle)
      let token = center.addObserver(forName: name, object: poster.object, queue: nil) {
        receiver.receive($0)
      }
      // Weak, so that an observation that is never disposed is released with the center.
      observer.observation.add { [weak center, weak receiver] in
        // The center releases its closure under a lock, so the receiver must outlive that release.
        withExtendedLifetime(receiver) { center?.removeObserver(token) }
      }
    }
    guard let owner = object as? any LifetimeOwner else { return posts }
    return posts.take(until: owner.lifetime.ended(at: actor))
  }
}

private let postedElsewhere = """
  A notification was posted on another thread than that of its observer, and is not Sendable. \
  Extract values from it where it is posted: \
  notification(name) { $0.userInfo?["title"] as? String }.
  """

/// The object whose notifications are observed, if any.
// Safety: the object is only used where it is observed. Other threads only check whether it was
// released; while it posts, it was not.
private final class Poster: @unchecked Sendable {
  private let isAnybody: Bool
  weak let object: AnyObject?

  init(_ object: AnyObject?) {
    isAnybody = object == nil
    self.object = object
  }

  /// True if the object was released. The center identifies an object by its address, which a new
  /// object may have by then.
  var isGone: Bool { !isAnybody && object == nil }
}

/// The object that the center holds for an observation.
private final class Receiver<Element>: Sendable {
  private let poster: Poster
  private let homeObserver: HomeObserver<Element, Never>
  private let handle: @Sendable (Notification, HomeObserver<Element, Never>) -> Void

  init(
    _ poster: Poster, _ homeObserver: HomeObserver<Element, Never>,
    _ handle: @escaping @Sendable (Notification, HomeObserver<Element, Never>) -> Void
  ) {
    self.poster = poster
    self.homeObserver = homeObserver
    self.handle = handle
  }

  func receive(_ notification: Notification) {
    // The center may have been about to call this receiver when it was removed.
    if !homeObserver.isCancelled && !poster.isGone { handle(notification, homeObserver) }
  }
}
