import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ControlEventTests {
  private let widget = Widget()

  // MARK: Values

  @Test func sendsTheElementsOfItsSource() {
    let recorder = widget.rx.tapped.record()
    widget.taps.next(1)
    widget.taps.next(2)
    #expect(recorder.events == [.next(1), .next(2)])
  }

  @Test func sendsNothingWhenObserved() {
    let selection = Property(1)
    let event = ControlEvent(selection, of: widget)
    let first = event.record()
    #expect(first.events == [])
    selection.value = 2
    let second = event.record()
    selection.value = 3
    #expect(first.events == [.next(2), .next(3)])
    #expect(second.events == [.next(3)])
  }

  @Test func sendsNoReplayedElements() {
    let replay = ReplayStream<Int, Never>(capacity: 3)
    for number in 1...3 { replay.next(number) }
    let recorder = ControlEvent(replay, of: widget).record()
    #expect(recorder.events == [])
    replay.next(4)
    #expect(recorder.events == [.next(4)])
  }

  @Test func acceptsStreamOperators() {
    let recorder = widget.rx.tapped.filter { $0 > 1 }.map { "\($0)" }.record()
    widget.taps.next(1)
    widget.taps.next(2)
    #expect(recorder.elements == ["2"])
  }

  // MARK: Completion

  @Test func completesWithItsSource() {
    let recorder = widget.rx.tapped.record()
    widget.taps.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func completesWhenTheControlIsReleased() {
    let taps = PushStream<Int>()
    var widget: Widget? = Widget()
    weak let held = widget
    let event = ControlEvent(taps, of: widget!)
    let recorder = event.record()
    taps.next(1)
    widget = nil
    #expect(held == nil)
    #expect(recorder.events == [.next(1), .completed])
    #expect(!taps.isObserved)
    #expect(event.record().events == [.completed])
    #expect(!taps.isObserved)
  }

  @Test func doesNotKeepTheControlAlive() {
    var widget: Widget? = Widget()
    weak let held = widget
    let event = widget!.rx.tapped
    let recorder = event.map { $0 + 1 }.record()
    widget = nil
    #expect(held == nil)
    #expect(recorder.isCompleted)
    withExtendedLifetime(event) {}
  }

  @Test func releaseOnAnotherThreadCompletesOnContext() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var widget: Widget? = Widget()
      widget?.rx.tapped.observe(completed: { log.append(home.isCurrent ? "home" : "elsewhere") })
      elsewhere.run { widget = nil }
      log.append("released")
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == ["released", "home"])
  }

  // MARK: Disposal

  @Test func disposingStopsObservingTheSource() {
    let recorder = widget.rx.tapped.record()
    recorder.dispose()
    #expect(!widget.taps.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts(.handlesFailure) { source, probe in
      ControlEvent(source.ignoreFailure { _, _ in probe.touch() }, of: widget).stream
    }
  }
}

@Suite struct ControlPropertyTests {
  private let widget = Widget()

  // MARK: Values

  @Test func sendsTheCurrentValueThenEachChange() {
    let recorder = widget.rx.text.record()
    widget.type("second")
    #expect(recorder.events == [.next("first"), .next("second")])
  }

  @Test func observesTheControlOnce() {
    let text = widget.rx.text
    let first = text.record()
    let second = text.record()
    #expect(widget.observations == 1)
    widget.type("second")
    #expect(first.elements == ["first", "second"])
    #expect(second.elements == ["first", "second"])
  }

  @Test func lateObserversGetTheLatest() {
    let text = widget.rx.text
    let first = text.record()
    widget.type("second")
    #expect(text.record().events == [.next("second")])
    #expect(widget.observations == 1)
    #expect(first.elements == ["first", "second"])
  }

  @Test func readsTheControlAgainAfterTheLastObserver() {
    let text = widget.rx.text
    text.record().dispose()
    #expect(!widget.isObserved)
    widget.type("second")
    #expect(text.record().events == [.next("second")])
    #expect(widget.observations == 2)
  }

  @Test func changedOmitsTheCurrentValue() {
    let text = widget.rx.text
    let first = text.changed.record()
    widget.type("second")
    let second = text.changed.record()
    widget.type("third")
    #expect(first.events == [.next("second"), .next("third")])
    #expect(second.events == [.next("third")])
    #expect(widget.observations == 1)
  }

  // MARK: Setting

  @Test func setsTheControl() {
    let text = widget.rx.text
    let recorder = text.record()
    text.send("second")
    #expect(widget.text == "second")
    // The control reports changes by its user only.
    #expect(recorder.elements == ["first"])
  }

  @Test func aStreamCanBeBoundToIt() {
    let names = PushStream<String>()
    names.bind(to: widget.rx.text)
    names.next("second")
    #expect(widget.text == "second")
    names.completed()
    names.next("third")
    #expect(widget.text == "second")
  }

  @Test func aBindingEndsWithTheControl() {
    let names = PushStream<String>()
    var widget: Widget? = Widget()
    weak let held = widget
    let text = widget!.rx.text
    let binding = names.bind(to: text)
    widget = nil
    #expect(held == nil)
    #expect(binding.isDisposed)
    #expect(!names.isObserved)
    text.send("nobody")
  }

  @Test func bindsBothWaysToAProperty() {
    let name = Property("model")
    let text = widget.rx.text
    name.bind(to: text)
    text.changed.bind(to: name)
    #expect(widget.text == "model")
    widget.type("user")
    #expect(name.value == "user")
    name.value = "program"
    #expect(widget.text == "program")
  }

  // MARK: Completion

  @Test func completesWhenTheControlIsReleased() {
    var widget: Widget? = Widget()
    weak let held = widget
    let text = widget!.rx.text
    let recorders = [text.record(), text.changed.record()]
    widget = nil
    #expect(held == nil)
    #expect(recorders.map(\.events) == [[.next("first"), .completed], [.completed]])
    #expect(text.record().events == [.completed])
  }

  // MARK: Reentrancy

  @Test func mayBeSetInsideItsOwnObserver() {
    let text = widget.rx.text
    var seen: [String] = []
    text.observeNext { value in
      seen.append(value)
      if value.count > 6 { text.send(String(value.prefix(6))) }
    }
    widget.type("a long text")
    #expect(widget.text == "a long")
    #expect(seen == ["first", "a long text"])
  }

  @Test func keepsTheContracts() {
    expectContracts([.handlesFailure, .shared]) { source, probe in
      ControlProperty(
        of: widget,
        values: source.map {
          probe.touch()
          return $0.value
        }.ignoreFailure { _, _ in probe.touch() },
        set: { _, _ in }
      ).stream
    }
  }
}
