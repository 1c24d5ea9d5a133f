import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ResourcesTests {
  @Test func countsObservationsAndSubjects() {
    Resources.tracking { resources in
      #expect(resources.total == 0)
      let numbers = PushStream<Int>()
      let property = Property("")
      #expect(resources.total == 2)
      let observation = numbers.map { $0 }.filter { $0 > 0 }.observeNext { _ in }
      #expect(resources.total == 3)
      observation.dispose()
      #expect(resources.total == 2)
      withExtendedLifetime((numbers, property)) {}
    }
  }

  @Test func anEndedObservationIsRemoved() {
    Resources.tracking { resources in
      let numbers = Subject<Int, Broken>()
      numbers.observe { _ in }
      numbers.observe(weak: numbers) { _, _ in }
      #expect(resources.total == 3)
      numbers.failed(Broken())
      #expect(resources.total == 1)
      EventStream<Int, Never>.just(1).observeNext { _ in }
      #expect(resources.total == 1)
    }
  }

  @Test func aReleasedSubjectIsRemoved() {
    Resources.tracking { resources in
      do {
        let numbers = PushStream<Int>()
        let property = Property(1)
        let replay = ReplayStream<Int, Never>(capacity: 1)
        let last = LastValueStream<Int, Never>()
        #expect(resources.total == 4)
        withExtendedLifetime((numbers, property, replay, last)) {}
      }
      #expect(resources.total == 0)
    }
  }

  @Test func namesLivingResourcesAndTheirOrigin() {
    let line: UInt = #line + 2
    let names = Resources.tracking { resources in
      let numbers = Subject<Int, Broken>()
      let text = Property("")
      let observation = numbers.map { "\($0)" }.observe { _ in }
      let binding = PushStream<String>().bind(to: text)
      let twoWay = text.bindTwoWay(to: text)
      defer { for each in [observation, binding, twoWay] { each.dispose() } }
      return resources.names
    }
    let place = "RunnelStreamsTests/ResourcesTests.swift"
    #expect(
      names == [
        "Subject<Int, Broken> at \(place):\(line)",
        "Subject<String, Never> at \(place):\(line + 1)",
        "EventStream<String, Broken> at \(place):\(line + 2)",
        "EventStream<String, Never> at \(place):\(line + 3)",
        "EventStream<String, Never> at \(place):\(line + 4)",
      ])
  }

  @Test func aBindingCountsOnceAndEndsWithItsTarget() {
    Resources.tracking { resources in
      let numbers = PushStream<Int>()
      var property: Property<Int>? = Property(0)
      var widget: Widget? = Widget()
      let before = resources.total
      numbers.bind(to: property!)
      numbers.map { "\($0)" }.bind(to: widget!.rx.title)
      Driver(numbers.map { "\($0)" }).drive(widget!.rx.title)
      #expect(resources.names.count { $0.hasPrefix("EventStream") } == 3)
      property = nil
      widget = nil
      #expect(resources.names.count { $0.hasPrefix("EventStream") } == 0)
      #expect(resources.total < before)
      #expect(!numbers.isObserved)
    }
  }

  @Test func aNestedBlockHasItsOwnLedger() {
    Resources.tracking { outer in
      let first = PushStream<Int>()
      let inner = Resources.tracking { inner in
        let second = PushStream<Int>()
        #expect(outer.total == 1)
        #expect(inner.total == 1)
        withExtendedLifetime(second) {}
        return inner
      }
      #expect(inner.total == 0)
      let third = PushStream<Int>()
      #expect(outer.total == 2)
      withExtendedLifetime((first, third)) {}
    }
  }

  @Test func anErrorRestoresTheOuterLedger() {
    Resources.tracking { outer in
      #expect(throws: Broken.self) {
        try Resources.tracking { (_: Resources) throws(Broken) in throw Broken() }
      }
      let numbers = PushStream<Int>()
      #expect(outer.total == 1)
      withExtendedLifetime(numbers) {}
    }
  }

  @Test func ignoresResourcesOfOtherThreads() {
    let elsewhere = ThreadContext()
    Resources.tracking { resources in
      elsewhere.run {
        let numbers = PushStream<Int>()
        numbers.observeNext { _ in }
      }
      #expect(resources.total == 0)
    }
    elsewhere.join()
  }

  /// Resources created after the block are not counted. Earlier ones count until they are released.
  @Test func aLedgerOutlivesItsBlock() {
    var kept: PushStream<Int>?
    let ledger = Resources.tracking { resources in
      kept = PushStream()
      return resources
    }
    let later = PushStream<Int>()
    #expect(ledger.total == 1)
    kept = nil
    #expect(ledger.total == 0)
    withExtendedLifetime((kept, later)) {}
  }

  @Test func theSharedLedgerCountsOnlyAfterItIsStarted() async {
    await #expect(processExitsWith: .success) {
      let elsewhere = ThreadContext()
      let before = PushStream<Int>()
      Resources.tracking { _ in
        elsewhere.run {
          let stray = PushStream<Int>()
          precondition(Resources.shared.total == 0)
          withExtendedLifetime(stray) {}
        }
      }
      Resources.startTracking()
      Resources.startTracking()
      precondition(Resources.shared.total == 0)
      let here = PushStream<Int>()
      elsewhere.run {
        let there = PushStream<Int>().observeNext { _ in }
        precondition(Resources.shared.total == 1 || Resources.shared.total == 2)
        there.dispose()
      }
      let observation = here.observeNext { _ in }
      precondition(Resources.shared.total == 2)
      precondition(Resources.shared.names.count == 2)
      precondition(Resources.shared.names[0].hasPrefix("Subject<Int, Never> at RunnelStreamsTests"))
      Resources.tracking { own in
        let counted = PushStream<Int>()
        precondition(own.total == 1)
        precondition(Resources.shared.total == 2)
        withExtendedLifetime(counted) {}
      }
      observation.dispose()
      precondition(Resources.shared.total == 1)
      withExtendedLifetime((before, here)) {}
      elsewhere.join()
    }
  }
}

@Suite struct SourceLocationTests {
  private typealias Location = RunnelStreams.SourceLocation

  @Test func recordsWhereItIsWritten() {
    let here = Location()
    #expect("\(here)" == "RunnelStreamsTests/ResourcesTests.swift:\(#line - 1)")
    #expect(here.line == #line - 2)
  }

  @Test func equalsTheSamePlace() {
    let place = Location(file: "Module/File.swift", line: 12)
    #expect(place == Location(file: "Module/File.swift", line: 12))
    #expect(place != Location(file: "Module/File.swift", line: 13))
    #expect(place != Location(file: "Module/Other.swift", line: 12))
    #expect(Set([place, Location(file: "Module/File.swift", line: 12)]).count == 1)
  }
}
