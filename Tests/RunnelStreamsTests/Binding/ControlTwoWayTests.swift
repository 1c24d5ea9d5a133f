import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ControlTwoWayTests {
  private let widget = Widget()
  private let name = Property("model")

  @Test func controlTakesTheValueOfThePropertyFirst() {
    widget.rx.text.bindTwoWay(to: name)
    #expect(widget.text == "model")
    #expect(name.value == "model")
  }

  @Test func changesAreCopiedOnce() {
    let seen = name.record()
    widget.rx.text.bindTwoWay(to: name)
    widget.type("typed")
    name.value = "set"
    #expect(widget.text == "set")
    widget.type("set")
    #expect(seen.elements == ["model", "typed", "set"])
  }

  @Test func controlShowsTheValueThatAnObserverSets() {
    name.observeNext { [name] in
      if $0.count > 3 { name.value = String($0.prefix(3)) }
    }
    widget.rx.text.bindTwoWay(to: name)
    #expect(widget.text == "mod")
    widget.type("abcd")
    #expect((widget.text, name.value) == ("abc", "abc"))
  }

  @Test func disposingEndsBothDirections() {
    let binding = widget.rx.text.bindTwoWay(to: name)
    binding.dispose()
    widget.type("typed")
    #expect(name.value == "model")
    name.value = "set"
    #expect(widget.text == "typed")
    #expect(!name.isObserved && !widget.isObserved)
  }

  @Test func endsWithTheProperty() {
    var name: Property<String>? = Property("model")
    weak let held = name
    widget.rx.text.bindTwoWay(to: name!)
    name = nil
    #expect(held == nil)
    #expect(!widget.isObserved)
  }

  @Test func endsWithTheControl() {
    var widget: Widget? = Widget()
    weak let held = widget
    let binding = widget!.rx.text.bindTwoWay(to: name)
    widget = nil
    #expect(held == nil)
    #expect(binding.isDisposed && !name.isObserved)
  }
}
