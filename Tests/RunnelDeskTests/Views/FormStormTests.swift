import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Delegates of the controls of a form call random operations on them, at any time.
@MainActor
@Suite struct FormStormTests {
  @Test(arguments: seeds(14) as Range<UInt64>)
  func reentrantChangesKeepFormsConsistent(seed: UInt64) {
    let storm = FormStorm(seed)
    for _ in 0..<120 { storm.act() }
    storm.isInterfering = false
    guard !storm.desk.application.isTerminated else { return }
    // The first picture may scroll to the focused view.
    _ = storm.desk.styled
    let shown = storm.desk.styled
    storm.desk.application.needsDisplay()
    #expect(storm.desk.styled == shown, "seed \(seed)")
    #expect(storm.desk.window.firstResponder?.isAvailable != false, "seed \(seed)")
  }
}

@MainActor
private final class FormStorm {
  let desk: Desk
  /// True while callbacks perform random operations.
  var isInterfering = true

  private let field = TextField("one two")
  private let secret = TextField("sec世", isSecure: true)
  private let group = RadioGroup(["Mobile", "Home", "世界"])
  private let control = Switch("Switch")
  private let slider = Slider(0.3)
  private let stepper = Stepper(3, in: 0...9)
  private let form: Form
  private let scroll: ScrollView
  private let tabs: TabView
  private let stack: StackView
  private var generator: SeededGenerator
  private var depth = 0

  init(_ seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    form = Form([
      "Field": field, "Secret": secret, "Group": group, "": control, "Slider": slider,
      "Stepper": stepper,
    ])
    scroll = ScrollView(form)
    tabs = TabView(["Form": scroll, "Box": Box("Box", Label("a\nb")), "Last": TextField()])
    stack = StackView(.vertical, padding: 1, [tabs, Button("OK")])
    desk = Desk(stack, width: 24, height: 9)
    for signal in [
      field.rx.didChange.stream, secret.rx.selection.map { _ in },
      group.rx.selectedIndex.map { _ in }, control.rx.isOn.map { _ in },
      slider.rx.value.map { _ in }, stepper.rx.value.map { _ in },
      scroll.rx.scrollPosition.map { _ in }, tabs.rx.selectedIndex.map { _ in },
      field.rx.didEndEditing.stream, secret.rx.didBeginEditing.stream,
    ] {
      signal.observeNext { [weak self] in self?.interfere() }
    }
    let agrees = { [weak self] in
      self?.interfere()
      return self?.below(5) != 0
    }
    group.rDelegate.answer(\.radioGroup_shouldSelect) { _, _ in agrees() }
    control.rDelegate.answer(\.switchControl_shouldChangeTo) { _, _ in agrees() }
    slider.rDelegate.answer(\.slider_shouldChangeTo) { _, _ in agrees() }
    stepper.rDelegate.answer(\.stepper_shouldChangeTo) { _, _ in agrees() }
    tabs.rDelegate.answer(\.tabView_shouldSelect) { _, _ in agrees() }
    field.rDelegate.answer(\.textFieldShouldEndEditing) { _ in agrees() }
  }

  private static let keys = [
    "a", "space", "enter", "tab", "backtab", "left", "right", "up", "down", "home", "end",
    "pageup", "pagedown", "ctrl+pageup", "ctrl+pagedown", "ctrl+a", "ctrl+x", "ctrl+v", "ctrl+z",
    "backspace", "ctrl+left", "shift+right",
  ]

  func act() {
    let point = Point(x: below(26) - 1, y: below(11) - 1)
    switch below(10) {
    case 0: desk.backend.send(.resize(Size(width: below(40), height: below(16))))
    case 1: desk.backend.send(.mouse(MouseEvent(.wheel(below(2) == 0 ? .up : .down), at: point)))
    case 2...4:
      for action in [.press(.left), .drag(.left), .release(.left)] as [MouseEvent.Action] {
        let place = Point(x: point.x + below(3), y: point.y + below(3))
        desk.backend.send(.mouse(MouseEvent(action, at: below(2) == 0 ? place : point)))
      }
    default: desk.press(Self.keys[below(Self.keys.count)])
    }
  }

  private func interfere() {
    guard isInterfering, depth < 4, below(2) == 0 else { return }
    depth += 1
    performRandomOperation()
    depth -= 1
  }

  private func performRandomOperation() {
    let views = [field, secret, group, control, slider, stepper] as [View]
    let view = views[below(views.count)]
    switch below(18) {
    case 0: view.isHidden.toggle()
    case 1: view.isEnabled.toggle()
    case 2: view.removeFromSuperview()
    case 3...5: form.insertSubview(view, at: below(8))
    case 6: form.addRow(["", "Label", "A long label"][below(3)], view)
    case 7: view.validationMessage = [nil, "", "wrong", "世界 is wrong\nhere"][below(4)]
    case 8: group.titles = [[], ["a"], ["a", "b", "c"]][below(3)]
    case 9: stepper.range = 0...below(20)
    case 10: scroll.scrollPosition = below(20) - 5
    case 11: tabs.selectedIndex = below(4)
    case 12 where tabs.titles.count > 1 && below(3) == 0: tabs.removeTab(at: below(4))
    case 13: desk.window.makeFirstResponder(below(2) == 0 ? view : nil)
    case 14: desk.window.moveFocus(forward: below(2) == 0)
    case 15: secret.isSecure.toggle()
    case 16: secret.text = ["", "e\u{301}世 x", "longer than the field is wide"][below(3)]
    case 17: _ = desk.styled
    default: act()
    }
  }

  private func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
}
