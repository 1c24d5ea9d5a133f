import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DriverTests {
  private let numbers = PushStream<Int>()

  // MARK: Sharing

  @Test func sharesOneRunAndReplaysTheLatestElement() {
    var runs = 0
    let driver = numbers.do(observed: { runs += 1 }).driver
    #expect(runs == 0)
    let first = driver.record()
    numbers.next(1)
    numbers.next(2)
    let second = driver.record()
    numbers.next(3)
    #expect(runs == 1)
    #expect(first.events == [.next(1), .next(2), .next(3)])
    #expect(second.events == [.next(2), .next(3)])
  }

  @Test func restartsAfterTheLastObserver() {
    let driver = numbers.driver
    let first = driver.record()
    numbers.next(1)
    first.dispose()
    #expect(!numbers.isObserved)
    #expect(driver.record().events == [])
  }

  @Test func replaysTheValueOfAProperty() {
    let property = Property(1)
    let driver = property.driver
    let first = driver.record()
    property.value = 2
    #expect(first.elements == [1, 2])
    #expect(driver.record().elements == [2])
  }

  @Test func completesForAllObservers() {
    let driver = numbers.driver
    let recorders = [driver.record(), driver.record()]
    numbers.completed()
    #expect(recorders.map(\.events) == [[.completed], [.completed]])
  }

  @Test func replacesAFailureWithAnElement() {
    let source = Subject<Int, Broken>()
    let recorder = source.driver(recoveringWith: 9).record()
    source.next(1)
    source.failed(Broken())
    #expect(recorder.events == [.next(1), .next(9), .completed])
  }

  // MARK: Operators

  @Test func operatorsRunOnceForAllObservers() {
    var calls = 0
    let mapped = numbers.driver.map { number in
      calls += 1
      return number * 10
    }
    let recorders = [mapped.record(), mapped.record()]
    numbers.next(1)
    #expect(calls == 1)
    #expect(recorders.map(\.elements) == [[10], [10]])
    #expect(mapped.record().elements == [10])
    #expect(calls == 1)
  }

  @Test func filters() {
    let even = numbers.driver.filter { $0.isMultiple(of: 2) }
    let first = even.record()
    for number in 1...3 { numbers.next(number) }
    #expect(first.elements == [2])
    #expect(even.record().elements == [2])
  }

  @Test func throughAppliesAnyOperators() {
    let driver = numbers.driver.through { $0.distinctUntilChanged().scan(0) { $0 + $1 } }
    let first = driver.record()
    for number in [1, 1, 2] { numbers.next(number) }
    #expect(first.elements == [1, 3])
    #expect(driver.record().elements == [3])
  }

  @Test func flatMapLatestFollowsTheLatestDriver() {
    let inner = [Property("a"), Property("b")]
    let driver = numbers.driver.flatMapLatest { inner[$0].driver }
    let recorder = driver.record()
    numbers.next(0)
    inner[0].value = "aa"
    numbers.next(1)
    inner[0].value = "aaa"
    inner[1].value = "bb"
    #expect(recorder.elements == ["a", "aa", "b", "bb"])
    #expect(driver.record().elements == ["bb"])
    #expect(!inner[0].isObserved)
  }

  @Test func combinesThroughStreams() {
    let name = Property("a")
    let age = Property(1)
    let both = Driver(EventStream.combineLatest(name.driver.stream, age.driver.stream))
    let recorder = both.map { "\($0)\($1)" }.record()
    age.value = 2
    #expect(recorder.elements == ["a1", "a2"])
  }

  // MARK: Driving

  @Test func drivesATargetAndEndsWithIt() {
    var widget: Widget? = Widget()
    let binding = numbers.driver.map { "\($0)" }.drive(widget!.rx.title)
    numbers.next(1)
    #expect(widget?.title == "1")
    widget = nil
    #expect(binding.isDisposed)
    #expect(!numbers.isObserved)
  }

  @Test func drivesAPropertyAndEndsWithIt() {
    var property: Property<Int>? = Property(0)
    numbers.driver.drive(property!)
    numbers.next(1)
    #expect(property?.value == 1)
    property = nil
    #expect(!numbers.isObserved)
  }

  @Test func drivesAClosure() {
    var seen: [Int] = []
    let observation = numbers.driver.drive { seen.append($0) }
    numbers.next(1)
    observation.dispose()
    numbers.next(2)
    #expect(seen == [1])
    #expect(!numbers.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts([.handlesFailure, .shared, .outlivesSource]) { source, probe in
      source.driver(recoveringWith: ContractElement(0)).map {
        probe.touch()
        return $0.value
      }.stream
    }
    expectContracts([.handlesFailure, .shared, .outlivesSource]) { source, probe in
      source.driver(recoveringWith: ContractElement(0)).flatMapLatest {
        probe.touch()
        return probe.inner($0).driver(recoveringWith: ContractElement(0))
      }.stream
    }
  }
}

@Suite struct PulseTests {
  private let taps = PushStream<Int>()

  @Test func sharesOneRunAndReplaysNothing() {
    var runs = 0
    let pulse = taps.do(observed: { runs += 1 }).pulse
    let first = pulse.record()
    taps.next(1)
    let second = pulse.record()
    taps.next(2)
    #expect(runs == 1)
    #expect(first.elements == [1, 2])
    #expect(second.elements == [2])
  }

  @Test func replacesAFailureWithAnotherStream() {
    let source = Subject<Int, Broken>()
    let recorder = source.pulse(recoveringWith: taps.stream).record()
    source.next(1)
    source.failed(Broken())
    taps.next(2)
    #expect(recorder.events == [.next(1), .next(2)])
  }

  @Test func operatorsRunOnceForAllObservers() {
    var calls = 0
    let mapped = taps.pulse.map { number in
      calls += 1
      return number * 10
    }
    let recorders = [mapped.record(), mapped.record()]
    taps.next(1)
    #expect(calls == 1)
    #expect(recorders.map(\.elements) == [[10], [10]])
    #expect(mapped.record().elements == [])
  }

  @Test func filterAndThroughApplyOperators() {
    let recorder = taps.pulse.filter { $0 > 1 }.through { $0.scan(0) { $0 + $1 } }.record()
    for number in 1...3 { taps.next(number) }
    #expect(recorder.elements == [2, 5])
  }

  @Test func flatMapLatestFollowsTheLatestPulse() {
    let inner = [PushStream<String>(), PushStream<String>()]
    let recorder = taps.pulse.flatMapLatest { inner[$0].pulse }.record()
    taps.next(0)
    inner[0].next("a")
    taps.next(1)
    inner[0].next("lost")
    inner[1].next("b")
    #expect(recorder.elements == ["a", "b"])
  }

  @Test func emitsToATargetAndEndsWithIt() {
    var target: PushStream<Int>? = PushStream()
    let recorder = target!.record()
    let binding = taps.pulse.emit(to: target!)
    taps.next(1)
    #expect(recorder.elements == [1])
    target = nil
    #expect(binding.isDisposed)
    #expect(!taps.isObserved)
  }

  @Test func emitsToAClosure() {
    var seen: [Int] = []
    let observation = taps.pulse.emit { seen.append($0) }
    taps.next(1)
    observation.dispose()
    taps.next(2)
    #expect(seen == [1])
  }

  @Test func keepsTheContracts() {
    expectContracts([.handlesFailure, .shared]) { source, probe in
      source.ignoreFailure { _, _ in probe.touch() }.pulse.map {
        probe.touch()
        return $0.value
      }.stream
    }
  }
}
