import Observation
import RunnelProxies
import RunnelStreams
import RunnelTesting
import Testing

@Observable
private final class Song: LifetimeOwner {
  let lifetime = Lifetime()
  var title = "Emma"
  var plays = 0
  var composer: Composer?
}

@Observable
private final class Composer {
  var name: String

  init(_ name: String) {
    self.name = name
  }
}

/// An object with key paths that capture a reference.
@Observable
private final class Plan: LifetimeOwner {
  final class Place: Hashable {
    static func == (left: Place, right: Place) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  let lifetime = Lifetime()
  var guests = 0
  subscript(place: Place) -> Int { guests }
}

/// An object that observes itself in its `deinit`.
@Observable
private final class SelfObserving: LifetimeOwner {
  let lifetime = Lifetime()
  var title = "Emma"
  @ObservationIgnored var log: (String) -> Void = { _ in }

  deinit {
    let log = log
    title = "gone"
    rx.observe(\.title).observe(next: log, completed: { log("end") })
  }
}

@Suite struct ObservedValueTests {
  @Test func sendsTheCurrentValueAndThenEachChange() async {
    let titles = await ManualContext.onThread { home in
      let song = Song()
      var titles: [String] = []
      song.rx.observe(\.title).observeNext { titles.append($0) }
      titles.append("|")
      song.title = "Dune"
      home.run()
      titles.append("|")
      for title in ["It", "Ulysses", "Emma"] { song.title = title }
      home.run()
      return titles
    }
    #expect(titles == ["Emma", "|", "Dune", "|", "It", "Ulysses", "Emma"])
  }

  @Test func otherPropertiesAreIgnored() async {
    let count = await ManualContext.onThread { home in
      let song = Song()
      var count = 0
      song.rx.observe(\.title).observeNext { _ in count += 1 }
      song.plays = 3
      home.run()
      return count
    }
    #expect(count == 1)
  }

  @Test func aChangeInPlaceIsSent() async {
    let values = await ManualContext.onThread { home in
      let song = Song()
      var values: [Int] = []
      song.rx.observe(\.plays).observeNext { values.append($0) }
      song.plays += 1
      song.plays += 1
      home.run()
      return values
    }
    #expect(values == [0, 1, 2])
  }

  @Test func changesByAnObserverAreNotMissed() async {
    let values = await ManualContext.onThread { home in
      let song = Song()
      var values: [Int] = []
      song.rx.observe(\.plays).observeNext { plays in
        values.append(plays)
        if plays < 3 { song.plays += 1 }
        if plays == 3 {
          song.plays = 10
          song.plays = 20
        }
      }
      home.run()
      return values
    }
    #expect(values == [0, 1, 2, 3, 10, 20])
  }

  @Test func followsObjectsAlongTheKeyPath() async {
    let names = await ManualContext.onThread { home in
      let song = Song()
      var names: [String?] = []
      song.rx.observe(\.composer?.name).observeNext { names.append($0) }
      song.composer = Composer("Bach")
      home.run()
      song.composer?.name = "Cage"
      home.run()
      song.composer = nil
      home.run()
      return names
    }
    #expect(names == [nil, "Bach", "Cage", nil])
  }

  @Test func sendsTheLastChangeBeforeCompletion() async {
    let events = await ManualContext.onThread { home in
      var song: Song? = Song()
      var events: [String] = []
      song?.rx.observe(\.title).observe(
        next: { events.append($0) }, completed: { events.append("end") })
      song?.title = "Dune"
      song = nil
      home.run()
      return events
    }
    #expect(events == ["Emma", "Dune", "end"])
  }

  @Test func theObjectIsNotRetained() async {
    let events = await ManualContext.onThread { home in
      var events: [String] = []
      do {
        let song = Song()
        song.rx.observe(\.title).observe(
          next: { events.append($0) }, completed: { events.append("end") })
      }
      home.run()
      return events
    }
    #expect(events == ["Emma", "end"])
  }

  @Test func sendsNothingAfterDisposal() async {
    let titles = await ManualContext.onThread { home in
      let song = Song()
      var titles: [String] = []
      let observation = song.rx.observe(\.title).observeNext { titles.append($0) }
      song.title = "Dune"
      observation.dispose()
      home.run()
      song.title = "It"
      home.run()
      return titles
    }
    #expect(titles == ["Emma"])
  }

  @Test func eachObservationIsIndependent() async {
    let values = await ManualContext.onThread { home in
      let song = Song()
      let plays = song.rx.observe(\.plays)
      var values: [String] = []
      plays.observeNext { values.append("a\($0)") }
      song.plays = 1
      plays.take(1).observeNext { values.append("b\($0)") }
      home.run()
      return values
    }
    #expect(values == ["a0", "b1", "a1"])
  }

  @Test func thousandsOfChangesLeaveNothingBehind() async {
    let (count, total) = await ManualContext.onThread { home in
      Resources.tracking { resources in
        let song = Song()
        var count = 0
        let observation = song.rx.observe(\.plays).observeNext { _ in count += 1 }
        for plays in 1...5_000 {
          song.plays = plays
          if plays % 7 == 0 { home.run() }
        }
        home.run()
        observation.dispose()
        return (count, resources.total)
      }
    }
    #expect(count == 5_001)
    #expect(total == 0)
  }

  @Test func aDeallocatingObjectSendsNoValues() async {
    let events = await ManualContext.onThread { home in
      var events: [String] = []
      var object: SelfObserving? = SelfObserving()
      object?.log = { events.append($0) }
      object?.rx.observe(\.title).observe(
        next: { events.append($0) }, completed: { events.append("end of the first") })
      object = nil
      home.run()
      return events
    }
    #expect(events.filter { $0 == "gone" } == [])
    #expect(events.sorted() == ["Emma", "end", "end of the first"])
  }

  @Test func aChangeOnAnotherThreadIsReadOnTheContext() async {
    let titles = await ManualContext.onThread { home in
      // Safety: only the other thread uses the object while this thread waits.
      nonisolated(unsafe) let song = Song()
      var titles: [String] = []
      song.rx.observe(\.title).observeNext { title in
        titles.append(title)
        #expect(home.isCurrent)
      }
      let worker = ThreadContext()
      worker.run { for title in ["Dune", "It"] { song.title = title } }
      home.run()
      worker.run { song.title = "Emma" }
      worker.join()
      home.run()
      return titles
    }
    #expect(titles == ["Emma", "It", "Emma"])
  }

  @Test func releaseOnAnotherThreadCompletesOnContext() async {
    let events = await ManualContext.onThread { home in
      var events: [String] = []
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var song: Song? = Song()
      song?.rx.observe(\.title).observe(
        next: { events.append($0) }, completed: { events.append(home.isCurrent ? "home" : "away") })
      let worker = ThreadContext()
      worker.run {
        song?.title = "Dune"
        song = nil
      }
      worker.join()
      home.run()
      return events
    }
    #expect(events == ["Emma", "home"])
  }

  @Test func disposalDuringDeliveryDropsTheRest() async {
    let values = await ManualContext.onThread { home in
      let song = Song()
      var values: [Int] = []
      let bag = CompositeDisposable()
      bag.add(
        song.rx.observe(\.plays).observeNext { plays in
          values.append(plays)
          if plays == 2 { bag.dispose() }
        })
      for plays in 1...4 { song.plays = plays }
      home.run()
      song.plays = 9
      home.run()
      return values
    }
    #expect(values == [0, 1, 2])
  }

  @Test func replacedObjectsAreNoLongerObserved() async {
    let (names, late) = await ManualContext.onThread { home in
      let song = Song()
      let composers = [Composer("Bach"), Composer("Cage")]
      song.composer = composers[0]
      var names: [String?] = []
      song.rx.observe(\.composer?.name).observeNext { names.append($0) }
      for round in 1...1_000 {
        song.composer = composers[round % 2]
        home.run()
        // A change to the replaced object is ignored.
        composers[(round + 1) % 2].name += "."
        home.run()
      }
      let count = names.count
      composers[0].name = "Bach"
      home.run()
      return (count, names.dropFirst(count).map { $0 })
    }
    #expect(names == 1_001)
    #expect(late == ["Bach"])
  }

  @Test func aDisposedObservationReleasesItsKeyPath() async {
    let isLeft = await ManualContext.onThread { home in
      let plan = Plan()
      weak var held: Plan.Place?
      do {
        let place = Plan.Place()
        held = place
        plan.rx.observe(\.[place]).observeNext { _ in }.dispose()
      }
      home.run()
      return withExtendedLifetime(plan) { held != nil }
    }
    #expect(!isLeft)
  }
}
