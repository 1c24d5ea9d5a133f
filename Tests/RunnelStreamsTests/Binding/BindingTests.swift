import RunnelStreams
import RunnelTesting
import Testing

@Suite struct BindingTests {
  private let numbers = PushStream<Int>()

  // MARK: Values

  @Test func aPropertyTakesElements() {
    let target = Property(0)
    let recorder = target.record()
    numbers.bind(to: target)
    numbers.next(1)
    numbers.next(2)
    #expect(recorder.events == [.next(0), .next(1), .next(2)])
  }

  @Test func aPropertyTakesTheValueOfAnotherAtOnce() {
    let source = Property(1)
    let target = Property(0)
    source.bind(to: target)
    #expect(target.value == 1)
    source.value = 2
    #expect(target.value == 2)
    target.value = 3
    #expect(source.value == 2)
  }

  @Test func aSubjectForwardsElements() {
    let target = PushStream<Int>()
    let recorder = target.record()
    numbers.bind(to: target)
    numbers.next(1)
    #expect(recorder.events == [.next(1)])
  }

  @Test func aFailableSubjectTakesAnInfallibleStream() {
    let target = Subject<Int, ContractFailure>()
    let recorder = target.record()
    numbers.bind(to: target)
    numbers.next(1)
    target.failed(ContractFailure())
    numbers.next(2)
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
  }

  @Test func oneTargetTakesSeveralStreams() {
    let target = Property(0)
    let recorder = target.record()
    let others = PushStream<Int>()
    numbers.bind(to: target)
    others.bind(to: target)
    numbers.next(1)
    others.next(2)
    #expect(recorder.elements == [0, 1, 2])
  }

  // MARK: The end of the stream

  @Test func theEndOfTheStreamEndsTheBindingNotTheTarget() {
    let target = PushStream<Int>()
    let recorder = target.record()
    let binding = numbers.bind(to: target)
    numbers.next(1)
    numbers.completed()
    #expect(binding.isDisposed)
    #expect(target.termination == nil)
    target.next(2)
    #expect(recorder.events == [.next(1), .next(2)])
  }

  @Test func aStreamThatEndsAtOnceSetsTheProperty() {
    let target = Property(0)
    #expect(EventStream<Int, Never>.just(1).bind(to: target).isDisposed)
    #expect(target.value == 1)
  }

  // MARK: Release of the target

  @Test func releasingThePropertyEndsTheBinding() {
    var target: Property<Int>? = Property(0)
    weak let held = target
    let binding = numbers.bind(to: target!)
    target = nil
    #expect(held == nil)
    #expect(binding.isDisposed)
    #expect(!numbers.isObserved)
  }

  @Test func releasingTheSubjectEndsTheBinding() {
    var target: PushStream<Int>? = PushStream()
    weak let held = target
    let binding = numbers.bind(to: target!)
    target = nil
    #expect(held == nil)
    #expect(binding.isDisposed)
    #expect(!numbers.isObserved)
  }

  /// A stream derived from a property retains it, so the binding lasts while the stream is in use.
  @Test func aStreamOfUpdatesRetainsTheTarget() {
    var target: Property<Int>? = Property(0)
    weak let held = target
    numbers.bind(to: target!)
    do {
      let updates = target!.updates
      target = nil
      #expect(held != nil)
      let recorder = updates.record()
      numbers.next(1)
      #expect(recorder.elements == [1])
    }
    #expect(held == nil)
    #expect(!numbers.isObserved)
  }

  @Test func aTargetReleasedDuringDeliveryGetsNothing() {
    var target: Property<Int>? = Property(0)
    var seen: [Int] = []
    numbers.observeNext { _ in target = nil }
    target!.observeNext { seen.append($0) }
    numbers.bind(to: target!)
    numbers.next(1)
    #expect(seen == [0])
  }

  @Test func aChainOfBindingsEndsWithItsLastTarget() {
    let first = PushStream<Int>()
    var second: Property<Int>? = Property(0)
    var third: Property<Int>? = Property(0)
    first.bind(to: second!)
    second!.map { $0 * 10 }.bind(to: third!)
    first.next(1)
    #expect(third?.value == 10)
    third = nil
    #expect(second?.isObserved == false)
    #expect(first.isObserved)
    second = nil
    #expect(!first.isObserved)
  }

  @Test func shortBindingsLeaveNothingInTheTarget() {
    let target = Property(0)
    let left = Resources.tracking { resources in
      for number in 1...1000 { EventStream<Int, Never>.just(number).bind(to: target) }
      for _ in 1...1000 { numbers.bind(to: target).dispose() }
      return resources.total
    }
    #expect(left == 0)
    #expect(target.value == 1000)
  }

  // MARK: Disposal

  @Test func disposingEndsTheBinding() {
    let target = Property(0)
    let binding = numbers.bind(to: target)
    binding.dispose()
    numbers.next(1)
    #expect(target.value == 0)
    #expect(!numbers.isObserved)
  }

  // MARK: Loops

  @Test func aConvergingLoopEnds() {
    let number = Property(1)
    let recorder = number.record()
    number.map { min($0 + 1, 4) }.distinctUntilChanged().bind(to: number)
    #expect(recorder.elements == [1, 2, 3, 4])
    recorder.clear()
    number.value = 0
    #expect(recorder.elements == [0, 1, 2, 3, 4])
  }

  @Test func opposingBindingsConverge() {
    let left = Property(1)
    let right = Property(2)
    left.distinctUntilChanged().bind(to: right)
    right.distinctUntilChanged().bind(to: left)
    let seen = (left.record(), right.record())
    left.value = 3
    right.value = 4
    #expect(seen.0.elements == [1, 3, 3, 4])
    #expect(seen.1.elements == [1, 3, 4, 4])
  }

  @Test func aLongLoopTakesNoStack() {
    let number = Property(0)
    number.filter { $0 < 100_000 }.map { $0 + 1 }.bind(to: number)
    #expect(number.value == 100_000)
  }

  @Test func aLoopThroughASubjectDeliversInOrder() {
    numbers.filter { $0 < 3 }.map { $0 + 1 }.bind(to: numbers)
    let recorder = numbers.record()
    numbers.next(1)
    #expect(recorder.elements == [1, 2, 3])
  }

  @Test func aLoopDoesNotRetainItsProperty() {
    var number: Property<Int>? = Property(1)
    weak let held = number
    number!.map { $0 }.distinctUntilChanged().bind(to: number!)
    number = nil
    #expect(held == nil)
  }
}
