import Foundation
import RunnelFoundation
import RunnelStreams
import RunnelTesting
import Testing

@MainActor @Suite struct NotificationsTests {
  private let center = NotificationCenter()

  private final class Editor {}

  private final class Player: LifetimeOwner {
    let lifetime = Lifetime()
  }

  // MARK: Values

  @Test func sendsPostedNotification() {
    let recorder = center.rx.notification(.saved).record()
    let editor = Editor()
    center.post(name: .saved, object: editor, userInfo: ["title": "Emma"])
    #expect(recorder.elements.count == 1)
    #expect(recorder.elements.first?.name == .saved)
    #expect(recorder.elements.first?.object as? Editor === editor)
    #expect(recorder.elements.first?.userInfo?["title"] as? String == "Emma")
  }

  @Test func sendsTransformedNotification() {
    let titles = center.rx.notification(.saved) { $0.userInfo?["title"] as? String }.record()
    center.post(name: .saved, object: nil, userInfo: ["title": "Emma"])
    center.post(name: .saved, object: nil)
    #expect(titles.events == [.next("Emma"), .next(nil)])
  }

  @Test func observesDefaultCenter() {
    let name = Notification.Name("Runnel.default")
    let recorder = NotificationCenter.default.rx.notification(name).record()
    NotificationCenter.default.post(name: name, object: nil)
    recorder.dispose()
    NotificationCenter.default.post(name: name, object: nil)
    #expect(recorder.elements.count == 1)
  }

  @Test func filtersByNameAndObject() {
    let (one, other) = (Editor(), Editor())
    let all = center.rx.notification(nil, observedAs: "all")
    let saved = center.rx.notification(.saved, observedAs: "saved")
    let ofOne = center.rx.notification(nil, object: one, observedAs: "of one")
    let savedByOne = center.rx.notification(.saved, object: one, observedAs: "saved by one")
    let recorder = EventStream.merge([all, saved, ofOne, savedByOne]).record()

    func received(_ name: Notification.Name, _ object: Editor?) -> [String] {
      recorder.clear()
      center.post(name: name, object: object)
      return recorder.elements.sorted()
    }
    #expect(received(.saved, one) == ["all", "of one", "saved", "saved by one"])
    #expect(received(.saved, other) == ["all", "saved"])
    #expect(received(.saved, nil) == ["all", "saved"])
    #expect(received(.closed, one) == ["all", "of one"])
    #expect(received(.closed, nil) == ["all"])
  }

  @Test func deliversBeforePostReturns() {
    var log: [String] = []
    center.rx.notification(.saved).observeNext { _ in log.append("notification") }
    center.rx.notification(.saved) { _ in }.observeNext { log.append("transformed") }
    center.post(name: .saved, object: nil)
    #expect(log.sorted() == ["notification", "transformed"])
  }

  @Test func actorReceivesOwnPost() async {
    #expect(await Clerk(center).count() == 3)
  }

  private actor Clerk {
    private let center: NotificationCenter
    private var received = 0

    init(_ center: NotificationCenter) {
      self.center = center
    }

    func count() -> Int {
      let observation = center.rx.notification(.saved).observeNext { _ in self.received += 1 }
      for _ in 1...3 { center.post(name: .saved, object: nil) }
      observation.dispose()
      center.post(name: .saved, object: nil)
      return received
    }
  }

  // MARK: Completion

  @Test func doesNotRetainObject() {
    var editor: Editor? = Editor()
    weak let watched = editor
    let stream = center.rx.notification(.saved, object: editor)
    let recorder = stream.record()
    editor = nil
    #expect(watched == nil)
    #expect(recorder.termination == nil)
    // A stream of a released object sends nothing.
    #expect(stream.record().termination == nil)
    withExtendedLifetime(stream) {}
  }

  /// The center identifies objects by their addresses, which may be reused.
  @Test func ignoresNewObjectAtSameAddress() {
    for _ in 1...1_000 {
      var editor: Editor? = Editor()
      let recorder = center.rx.notification(.saved, object: editor).record()
      editor = nil
      center.post(name: .saved, object: Editor())
      #expect(recorder.events.isEmpty)
      recorder.dispose()
    }
  }

  @Test func completesWithLifetimeOfObject() {
    var player: Player? = Player()
    let stream = center.rx.notification(.saved, object: player)
    // A notification retains its object, so only the name is recorded.
    let recorder = stream.map(\.name).record()
    center.post(name: .saved, object: player)
    player = nil
    #expect(recorder.events == [.next(.saved), .completed])
    #expect(stream.record().isCompleted)
  }

  // MARK: Disposal

  @Test func nothingArrivesAfterDisposal() {
    let recorder = center.rx.notification(.saved).record()
    let transformed = center.rx.notification(.saved) { _ in 1 }.record()
    recorder.dispose()
    transformed.dispose()
    center.post(name: .saved, object: nil)
    #expect(recorder.events.isEmpty && transformed.events.isEmpty)
  }

  /// The center still calls observers that were removed during a post.
  @Test func disposingInOtherHandlerStopsDelivery() {
    var received = 0
    let place = CompositeDisposable()
    for _ in 1...5 {
      let receive = {
        received += 1
        place.dispose()
      }
      place.add(center.rx.notification(.saved).observeNext { _ in receive() })
      place.add(center.rx.notification(.saved) { _ in }.observeNext { receive() })
    }
    center.post(name: .saved, object: nil)
    #expect(received == 1)
  }

  @Test func disposingInHandlerStopsDelivery() {
    let recorder = center.rx.notification(.saved).take(1).record()
    center.post(name: .saved, object: nil)
    center.post(name: .saved, object: nil)
    #expect(recorder.events.count == 2)
  }

  @Test func disposingInTransformStopsDelivery() {
    let place = SerialDisposable()
    // Safety: the notification is posted on the main actor.
    nonisolated(unsafe) let dispose = { place.dispose() }
    var received = 0
    place.current = center.rx.notification(.saved) { _ in dispose() }.observeNext { received += 1 }
    center.post(name: .saved, object: nil)
    #expect(received == 0)
  }

  /// The center removes an observer under a lock; the release of its captures may use the center.
  @Test func releasedCaptureMayPost() {
    let posts = center.rx.notification(.closed).record()
    let post: @Sendable () -> Void = { [center] in center.post(name: .closed, object: nil) }
    func observe() -> Disposable {
      let (handler, transform) = (ReleaseProbe(onRelease: post), ReleaseProbe(onRelease: post))
      return center.rx.notification(.saved) { _ in transform.hold() }
        .observeNext { handler.hold() }
    }
    let observation = observe()
    #expect(posts.elements.isEmpty)
    observation.dispose()
    #expect(posts.elements.count == 2)
  }

  @Test func disposalLeavesNoResources() {
    let names = Resources.tracking { resources in
      let player = Player()
      let place = DisposeBag()
      center.rx.notification(.saved).observeNext { _ in }.disposed(by: place)
      center.rx.notification(.saved, object: player).observeNext { _ in }.disposed(by: place)
      center.rx.notification(.saved) { _ in }.observeNext {}.disposed(by: place)
      #expect(resources.total == 3)
      withExtendedLifetime(place) {}
      return resources
    }.names
    #expect(names == [])
  }

  // MARK: Reentrancy

  /// Events are delivered one at a time (C2), although the center calls reentrantly.
  @Test func queuesNotificationPostedInHandler() {
    var log: [String] = []
    center.rx.notification(.saved).observeNext { notification in
      let number = notification.userInfo?["number"] as? Int ?? 0
      log.append("\(number) begins")
      if number < 3 {
        center.post(name: .saved, object: nil, userInfo: ["number": number + 1])
      }
      log.append("\(number) ends")
    }
    center.post(name: .saved, object: nil, userInfo: ["number": 1])
    #expect(
      log == ["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"])
  }

  @Test func observerAddedInHandlerGetsNextPost() {
    var inner: [Recorder<Notification, Never>] = []
    center.rx.notification(.saved).take(1).observeNext { _ in
      inner.append(center.rx.notification(.saved).record())
    }
    center.post(name: .saved, object: nil)
    #expect(inner.first?.events.isEmpty == true)
    center.post(name: .saved, object: nil)
    #expect(inner.first?.elements.count == 1)
  }

  /// With `share`, all observers receive all events in one order (C2, C3). Without it, they do not.
  @Test func sharedObserversReceiveOneOrder() {
    let shared = center.rx.notification(.saved) { $0.userInfo?["number"] as? Int ?? 0 }.share()
    var log: [String] = []
    for observer in ["a", "b", "c"] {
      shared.observeNext { number in
        if observer == "a" && number == 1 {
          center.post(name: .saved, object: nil, userInfo: ["number": 2])
        }
        log.append("\(observer)\(number)")
      }
    }
    center.post(name: .saved, object: nil, userInfo: ["number": 1])
    #expect(log == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }
}

extension Notification.Name {
  static let saved = Notification.Name("saved")
  static let closed = Notification.Name("closed")
}

extension Reactive where Base == NotificationCenter {
  @MainActor fileprivate func notification(
    _ name: Notification.Name?, object: AnyObject? = nil, observedAs text: String
  ) -> EventStream<String, Never> {
    notification(name, object: object).map { _ in text }
  }
}
