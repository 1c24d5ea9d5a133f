import RunnelStreams
import RunnelTesting
import Testing

@Suite struct BinderTests {
  private let titles = PushStream<String>()

  // MARK: Values

  @Test func passesElementsToTheObject() {
    let label = Label()
    var seen: [String] = []
    titles.bind(
      to: Binder(label) { label, title in
        label.title = title
        seen.append(title)
      })
    titles.next("a")
    titles.next("b")
    #expect(seen == ["a", "b"])
    #expect(label.title == "b")
  }

  @Test func sendSetsTheValueWithoutABinding() {
    var label: Label? = Label()
    var seen: [String] = []
    let binder = Binder<String>(label!) { _, title in seen.append(title) }
    binder.send("a")
    label = nil
    binder.send("b")
    #expect(seen == ["a"])
  }

  @Test func oneBinderTakesSeveralStreams() {
    let widget = Widget()
    let title = widget.rx.title
    let other = PushStream<String>()
    titles.bind(to: title)
    other.bind(to: title)
    titles.next("a")
    #expect(widget.title == "a")
    other.next("b")
    #expect(widget.title == "b")
  }

  @Test func setsTheValueAtAKeyPath() {
    let label = Label()
    titles.bind(to: label, \.title)
    titles.next("a")
    #expect(label.title == "a")
  }

  // MARK: The end of the stream

  @Test func theEndOfTheStreamEndsTheBinding() {
    let widget = Widget()
    let binding = titles.bind(to: widget.rx.title)
    titles.next("a")
    titles.completed()
    #expect(binding.isDisposed)
    PushStream<String>().bind(to: widget.rx.title)
    #expect(widget.title == "a")
  }

  @Test func aStreamThatEndsAtOnceLeavesNoResources() {
    let widget = Widget()
    let left = Resources.tracking { resources in
      let binding = EventStream<String, Never>.just("a").bind(to: widget.rx.title)
      #expect(binding.isDisposed)
      return resources.names
    }
    #expect(widget.title == "a")
    #expect(left == [])
  }

  // MARK: Release of the object

  @Test func ownerReleaseEndsTheBindingAtOnce() {
    var widget: Widget? = Widget()
    weak let held = widget
    let binding = titles.bind(to: widget!.rx.title)
    #expect(titles.isObserved)
    widget = nil
    #expect(held == nil)
    #expect(binding.isDisposed)
    #expect(!titles.isObserved)
  }

  @Test func ownerReleaseEndsAKeyPathBindingAtOnce() {
    var widget: Widget? = Widget()
    titles.bind(to: widget!, \.title)
    widget = nil
    #expect(!titles.isObserved)
  }

  @Test func plainObjectReleaseEndsBindingAtNextElement() {
    var label: Label? = Label()
    weak let held = label
    let binding = titles.bind(to: label!, \.title)
    label = nil
    #expect(held == nil)
    #expect(titles.isObserved)
    titles.next("a")
    #expect(binding.isDisposed)
    #expect(!titles.isObserved)
  }

  @Test func bindingToAReleasedObjectEndsAtOnce() {
    var widget: Widget? = Widget()
    let binder = widget!.rx.title
    widget = nil
    #expect(titles.bind(to: binder).isDisposed)
    #expect(!titles.isObserved)
  }

  @Test func objectMayBeReleasedInsideItsSetter() {
    var widget: Widget? = Widget()
    var seen: [String] = []
    titles.bind(
      to: Binder(widget!) { _, title in
        seen.append(title)
        widget = nil
      })
    titles.next("a")
    #expect(!titles.isObserved)
    titles.next("b")
    #expect(seen == ["a"])
  }

  @Test func objectMayBeReleasedWhileItIsBound() {
    var widget: Widget? = Widget()
    let title = Property("current")
    let binder = Binder<String>(widget!) { _, _ in widget = nil }
    #expect(title.bind(to: binder).isDisposed)
    #expect(!title.isObserved)
  }

  @Test func releaseOnAnotherThreadEndsBindingOnContext() async {
    let isObserved = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      let titles = PushStream<String>()
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var widget: Widget? = Widget()
      titles.bind(to: widget!.rx.title)
      elsewhere.run { widget = nil }
      let before = titles.isObserved
      home.run()
      elsewhere.join()
      return [before, titles.isObserved]
    }
    #expect(isObserved == [true, false])
  }

  // MARK: Disposal

  @Test func disposingEndsTheBinding() {
    let widget = Widget()
    let binding = titles.bind(to: widget.rx.title)
    binding.dispose()
    titles.next("a")
    #expect(widget.title == "")
    #expect(!titles.isObserved)
  }

  // MARK: Reentrancy

  @Test func elementSentInsideTheSetterIsQueued() {
    let widget = Widget()
    var seen: [String] = []
    titles.bind(
      to: Binder(widget) { _, title in
        if title == "a" { titles.next("b") }
        seen.append(title)
      })
    titles.next("a")
    #expect(seen == ["a", "b"])
  }
}
