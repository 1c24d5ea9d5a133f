import Foundation
import RunnelStreams

extension NotificationCenter: ReactiveCompatible {}

extension Reactive where Base: NotificationCenter {
  /// What is posted on this thread, or by this actor: of any name where that is nil, and by any object
  /// where that is.
  ///
  ///     NotificationCenter.default.rx.notification(.saved, object: editor)
  ///       .observeNext { show($0.userInfo?["title"]) }
  ///
  /// A notification is not `Sendable`, and whoever posts it goes on using what is in it. So one that
  /// is posted on another thread than that of the observer is a mistake, and traps (C11). Where that
  /// may happen, take what is wanted of it: ``notification(_:object:isolation:_:)``.
  ///
  /// *Events*: sent before `post` returns (C7), unless the observer is handling another (C2). The
  /// center tells its observers in no particular order; those of one `share()` are told in theirs
  /// (C3). The object is not kept alive. Where it is a `LifetimeOwner`, the stream completes when it
  /// is gone; else it never ends.
  ///
  /// *Disposal*: the center forgets the observer.
  public func notification(
    _ name: Notification.Name?, object: AnyObject? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) -> EventStream<Notification, Never> {
    // The main actor is told by its thread.
    let actor = isolation === MainActor.shared ? nil : isolation
    let isInActor = actor != nil
    return posts(name, object, isolation) { [weak actor] notification, homeObserver in
      if !homeObserver.isHome {
        require(isInActor, postedElsewhere)
        // An actor that is gone has nobody who observes.
        guard let actor else { return }
        actor.preconditionIsolated(postedElsewhere)
      }
      homeObserver.nextAtHome(notification)
    }
  }

  /// What is wanted of that which is posted, on whatever thread: of any name where that is nil, and by
  /// any object where that is.
  ///
  ///     NotificationCenter.default.rx.notification(.saved) { $0.userInfo?["title"] as? String }
  ///       .compactMap { $0 }
  ///       .observeNext { show($0) }
  ///
  /// *Events*: the closure runs where `post` is called, maybe on several threads at a time. What it
  /// returns is sent before `post` returns where that is called on the thread of the context that the
  /// stream is observed on; from elsewhere it comes as a job of that context: of the actor that this
  /// is called in, else of the thread, which must have one. What one thread posts arrives in order.
  /// For the rest as ``notification(_:object:isolation:)``.
  ///
  /// *Disposal*: the center forgets the observer. A closure that runs on another thread at the moment
  /// runs to its end.
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
      // Weak, so that an observation that nobody ends goes with the center.
      observer.observation.add { [weak center, weak receiver] in
        // The center lets go of its closure under a lock, where nothing of ours must die.
        withExtendedLifetime(receiver) { center?.removeObserver(token) }
      }
    }
    guard let owner = object as? any LifetimeOwner else { return posts }
    return posts.take(until: owner.lifetime.ended(at: actor))
  }
}

private let postedElsewhere = """
  A notification was posted on another thread than that of its observer, and is not Sendable. Take \
  what is wanted of it where it is posted: notification(name) { $0.userInfo?["title"] as? String }.
  """

/// Whose notifications are wanted.
// Safety: the object is only asked for where it is observed; elsewhere only whether it is gone, while
// it is posting, if it is not.
private final class Poster: @unchecked Sendable {
  private let isAnybody: Bool
  weak let object: AnyObject?

  init(_ object: AnyObject?) {
    isAnybody = object == nil
    self.object = object
  }

  /// The center knows an object by its address, at which there may be another one when it is gone.
  var isGone: Bool { !isAnybody && object == nil }
}

/// What a center holds of an observation.
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
    // The center may have been about to tell it when it was removed.
    if !homeObserver.isCancelled && !poster.isGone { handle(notification, homeObserver) }
  }
}
