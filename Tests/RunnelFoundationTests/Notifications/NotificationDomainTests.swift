import Foundation
import RunnelFoundation
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Notifications that are posted on other threads than those of their observers.
@Suite struct NotificationDomainTests {
  private static func number(of notification: Notification) -> Int {
    notification.userInfo?["number"] as? Int ?? -1
  }

  @Test func deliversValueOnOwnContext() async {
    let (early, events, isHome) = await ManualContext.onThread { home in
      let center = NotificationCenter()
      let worker = ThreadContext()
      defer { worker.join() }
      var isHome = true
      let recorder = center.rx.notification(.saved) { notification in
        #expect(worker.isCurrent)
        return Self.number(of: notification)
      }.map { number in
        isHome = isHome && home.isCurrent && !worker.isCurrent
        return number
      }.record()
      worker.run { center.post(name: .saved, object: nil, userInfo: ["number": 1]) }
      let early = recorder.events.count
      home.run()
      return (early, recorder.events, isHome)
    }
    #expect(early == 0)
    #expect(events == [.next(1)])
    #expect(isHome)
  }

  @Test func deliversOnLoop() async {
    let numbers: [Int] = await onLoop { loop, finish in
      let center = NotificationCenter()
      let worker = ThreadContext()
      center.rx.notification(.saved, Self.number).take(2).toArray().stream.observeNext {
        #expect(loop.isCurrent)
        finish($0)
        worker.join()
      }
      worker.execute {
        for number in 1...3 { center.post(name: .saved, object: nil, userInfo: ["number": number]) }
      }
    }
    #expect(numbers == [1, 2])
  }

  private actor Clerk {
    func firstTwo(of center: NotificationCenter, _ begin: @Sendable () -> Void) async -> [Int] {
      await withCheckedContinuation { continuation in
        center.rx.notification(.saved, NotificationDomainTests.number).take(2).toArray().stream
          .observeNext {
            self.preconditionIsolated()
            continuation.resume(returning: $0)
          }
        begin()
      }
    }
  }

  @Test func deliversOnActor() async {
    let center = NotificationCenter()
    let worker = ThreadContext()
    let numbers = await Clerk().firstTwo(of: center) {
      worker.execute {
        for number in 1...2 { center.post(name: .saved, object: nil, userInfo: ["number": number]) }
      }
    }
    #expect(numbers == [1, 2])
    await ManualContext.onThread { _ in worker.join() }
  }

  /// Each notification arrives once and in order per poster, while observers are added and
  /// disposed.
  @Test func keepsOrderOfEightThreads() async {
    let (counts, isInOrder) = await ManualContext.onThread { home in
      let posters = 8
      let number = 500
      let center = NotificationCenter()
      var next = [Int](repeating: 0, count: posters)
      var isInOrder = true
      center.rx.notification(.saved) { notification in
        (notification.userInfo?["poster"] as? Int ?? 0, Self.number(of: notification))
      }.observeNext { poster, number in
        if next[poster] != number { isInOrder = false }
        next[poster] += 1
        center.rx.notification(.saved, Self.number).observeNext { _ in }.dispose()
      }
      let threads = (0..<posters).map { poster in
        let thread = ThreadContext()
        thread.execute {
          for number in 0..<number {
            center.post(
              name: .saved, object: nil, userInfo: ["poster": poster, "number": number])
          }
        }
        return thread
      }
      home.run(until: { next.allSatisfy { $0 == number } })
      threads.forEach { $0.join() }
      return (next, isInOrder)
    }
    #expect(counts == [Int](repeating: 500, count: 8))
    #expect(isInOrder)
  }

  @Test func disposingDropsPendingNotification() async {
    let (events, values) = await ManualContext.onThread { home in
      let center = NotificationCenter()
      let worker = ThreadContext()
      defer { worker.join() }
      let values = EventLog<Int>()
      let recorder = center.rx.notification(.saved) { values.add(Self.number(of: $0)) }.record()
      worker.run { center.post(name: .saved, object: nil, userInfo: ["number": 1]) }
      recorder.dispose()
      home.run()
      worker.run { center.post(name: .saved, object: nil, userInfo: ["number": 2]) }
      home.run()
      return (recorder.events.count, values.all)
    }
    #expect(events == 0)
    #expect(values == [1])
  }

  /// The center's observation ends with the center, on any thread that releases it.
  @Test func releasesHandlersOnOwnContext() async {
    let releases = await ManualContext.onThread { home in
      let releases = EventLog<Bool>()
      let worker = ThreadContext()
      let center = Monitor<NotificationCenter?>(NotificationCenter())
      func observe() {
        let probe = ReleaseProbe { releases.add(home.isCurrent) }
        let rx = center.withLock { $0 }?.rx
        rx?.notification(.saved) { _ in }.observeNext { probe.hold() }
        rx?.notification(.saved).observeNext { _ in probe.hold() }
      }
      observe()
      home.run()
      #expect(releases.all.isEmpty)
      worker.run { center.withLock { $0 = nil } }
      worker.join()
      home.run()
      return releases.all
    }
    #expect(releases == [true])
  }

  // MARK: Misuse

  @Test func postOnOtherThreadTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let center = NotificationCenter()
      let home = ManualContext()
      let worker = ThreadContext()
      _ = home.use { center.rx.notification(.saved).observeNext { _ in } }
      worker.run { center.post(name: .saved, object: nil) }
    }
    #expect(result.says("A notification was posted on another thread than that of its observer"))
    #expect(result.says("notification(name) { $0.userInfo?"))
  }

  @Test func postOffMainActorTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let center = NotificationCenter()
      await MainActor.run { _ = center.rx.notification(.saved).observeNext { _ in } }
      ThreadContext().run { center.post(name: .saved, object: nil) }
    }
    #expect(result.says("A notification was posted on another thread than that of its observer"))
  }

  @Test func postOutsideActorTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let center = NotificationCenter()
      let listener = Listener()
      await listener.listen(to: center)
      center.post(name: .saved, object: nil)
      withExtendedLifetime(listener) {}
    }
    // The message of the Swift runtime.
    #expect(result.says("Listener"))
  }

  /// The observer no longer exists.
  @Test func releasedActorReceivesNothing() async {
    let center = NotificationCenter()
    await Listener().listen(to: center)
    center.post(name: .saved, object: nil)
  }

  private actor Listener {
    func listen(to center: NotificationCenter) {
      center.rx.notification(.saved).observeNext { _ in Issue.record("received") }
    }
  }

  @Test func observingWithoutContextTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      NotificationCenter().rx.notification(.saved).observeNext { _ in }
    }
    #expect(result.says("This thread has no context for results to return to."))
  }
}
