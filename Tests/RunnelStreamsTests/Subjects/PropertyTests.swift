import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct PropertyTests {
  // MARK: Values

  @Test func sendsTheCurrentValueThenEveryChange() {
    let name = Property("Jim")
    let recorder = name.record()
    name.value = "Kirk"
    name.value = "Kirk"
    #expect(recorder.events == [.next("Jim"), .next("Kirk"), .next("Kirk")])
    #expect(name.value == "Kirk")
    #expect(name.record().elements == ["Kirk"])
  }

  @Test func updatesOmitTheCurrentValue() {
    let number = Property(1)
    let recorder = number.updates.record()
    number.value = 2
    #expect(recorder.events == [.next(2)])
  }

  @Test func isObservedIsTrueWhileItHasObservers() {
    let number = Property(1)
    #expect(!number.isObserved)
    let recorder = number.record()
    #expect(number.isObserved)
    recorder.dispose()
    #expect(!number.isObserved)
  }

  @Test func mutateSendsOnce() {
    let names = Property(["b"])
    let recorder = names.record()
    let count = names.mutate { names in
      names.append("a")
      names.sort()
      return names.count
    }
    #expect(count == 2)
    #expect(recorder.elements == [["b"], ["a", "b"]])
  }

  // MARK: Failure

  @Test func aThrowingMutateSendsTheChangedValue() {
    let numbers = Property([1])
    let recorder = numbers.record()
    #expect(throws: ContractFailure.self) {
      try numbers.mutate { (numbers) throws(ContractFailure) in
        numbers.append(2)
        throw ContractFailure()
      }
    }
    #expect(numbers.value == [1, 2])
    #expect(recorder.elements == [[1], [1, 2]])
    numbers.mutate { $0.append(3) }
    #expect(recorder.elements.last == [1, 2, 3])
  }

  @Test func usingAPropertyInsideItsMutateTraps() async {
    await #expect(processExitsWith: .failure) {
      let number = Property(1)
      number.mutate { $0 += number.value }
    }
    await #expect(processExitsWith: .failure) {
      let number = Property(1)
      number.mutate {
        $0 += 1
        number.value = 5
      }
    }
    await #expect(processExitsWith: .failure) {
      let number = Property(1)
      number.mutate {
        $0 += 1
        number.observeNext { _ in }
      }
    }
    await #expect(processExitsWith: .failure) {
      let number = Property(1)
      number.mutate {
        $0 += 1
        number.mutate { $0 += 1 }
      }
    }
  }

  // MARK: Disposal

  @Test func aDisposedObserverGetsNoMoreEvents() {
    let number = Property(1)
    let observation = Disposable()
    var seen: [Int] = []
    number.start(
      in: observation,
      next: {
        seen.append($0)
        observation.dispose()
      }, end: { _ in })
    number.value = 2
    #expect(seen == [1])
    #expect(!number.isObserved)
  }

  @Test func releasingThePropertyReleasesItsObservers() {
    var number: Property<Int>? = Property(1)
    var captive: Captive? = Captive()
    weak let captured = captive
    var events: [StreamEvent<Int, Never>] = []
    number!.observe { [captive] in
      captive?.hold()
      events.append($0)
    }
    captive = nil
    number = nil
    #expect(events == [.next(1)])
    #expect(captured == nil)
  }

  // MARK: Reentrancy

  @Test func settingInAnObserverIsVisibleAtOnce() {
    let number = Property(1)
    let before = number.record()
    var readBack: [Int] = []
    number.observeNext {
      if $0 == 2 {
        number.value = 3
        readBack.append(number.value)
        #expect(before.elements == [1, 2])
      }
    }
    let after = number.record()
    number.value = 2
    #expect(readBack == [3])
    #expect(before.elements == [1, 2, 3])
    #expect(after.elements == [1, 2, 3])
  }

  @Test func settingInTheFirstEventIsQueued() {
    let number = Property(1)
    let before = number.record()
    var seen: [Int] = []
    number.observeNext {
      seen.append($0)
      if $0 < 4 { number.value = $0 + 1 }
    }
    #expect(seen == [1, 2, 3, 4])
    #expect(before.elements == [1, 2, 3, 4])
  }

  @Test func anObserverDuringDeliveryGetsTheNewestOnce() {
    let number = Property(1)
    var late: Recorder<Int, Never>?
    number.observeNext {
      guard $0 == 2 else { return }
      number.value = 3
      number.value = 4
      late = number.record()
      number.value = 5
    }
    let other = number.record()
    number.value = 2
    #expect(other.elements == [1, 2, 3, 4, 5])
    #expect(late?.elements == [4, 5])
  }

  @Test func mutateInsideAnObserverIsQueued() {
    let numbers = Property([1])
    numbers.observeNext { if $0.count < 3 { numbers.mutate { $0.append($0.count + 1) } } }
    let after = numbers.record()
    numbers.mutate { $0 = [] }
    #expect(after.elements == [[1, 2, 3], [], [1], [1, 2], [1, 2, 3]])
  }

  /// The replaced value is released after the new value has been sent, and may set the next value.
  @Test func aReplacedValueMaySetTheNextInItsDeinit() {
    let property = Property<(Int, Captive?)>((0, nil))
    var seen: [Int] = []
    property.observeNext { seen.append($0.0) }
    property.value = (1, Captive { property.value = (3, nil) })
    property.value = (2, nil)
    #expect(seen == [0, 1, 2, 3])
    #expect(property.value.0 == 3)
  }
}
