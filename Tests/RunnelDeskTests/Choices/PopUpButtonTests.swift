import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct PopUpButtonTests {
  private final class Delegate: PopUpButtonDelegate {
    let log = Log()
    var agrees = true
    var onAsk: () -> Void = {}

    func popUpButton(_ button: PopUpButton, shouldSelect index: Int) -> Bool {
      log.add("\(index)?")
      onAsk()
      return agrees
    }
    func popUpButtonDidChange(_ button: PopUpButton) {
      log.add("is \(button.selectedIndex ?? -1)")
    }
  }

  private let button = PopUpButton(["Low", "Normal", "高い"])
  private let delegate = Delegate()
  private let desk: Desk

  init() {
    let row = StackView(.horizontal, [button, View()])
    row.height = 1
    desk = Desk(StackView(.vertical, [row, Label("below"), View()]), focusing: button, height: 6)
    button.delegate = delegate
  }

  @Test func opensAMenuBelowItself() {
    #expect(desk.text == "[ Low    ▾ ]\nbelow")
    desk.press("space")
    #expect(
      desk.text == """
        [ Low    ▾ ]
        ┌──────────┐
        │✓ Low     │
        │  Normal  │
        │  高い    │
        └──────────┘
        """)
    desk.press("down", "down", "enter")
    #expect(desk.text == "[ 高い   ▾ ]\nbelow")
    #expect(delegate.log.take() == ["2?", "is 2"])
    #expect(button.selectedChoice == "高い")
    desk.press("up", "enter")
    #expect(delegate.log.take() == [])
    #expect(button.isFirstResponder)
  }

  @Test func theMouseOpensAndChooses() {
    desk.backend.click("Low")
    desk.backend.click("Normal")
    #expect(button.selectedIndex == 1)
    desk.mouse(.press(.left), x: 1, y: 0)
    _ = desk.text
    desk.mouse(.drag(.left), x: 3, y: 3)
    desk.mouse(.release(.left), x: 3, y: 2)
    #expect(button.selectedIndex == 0)
    desk.backend.click("Low")
    desk.backend.click(Point(x: 19, y: 0))
    #expect(desk.text == "[ Low    ▾ ]\nbelow")
  }

  @Test func lettersSelectChoices() {
    desk.backend.type("n")
    #expect(button.selectedIndex == 1)
    desk.backend.type("xN高")
    #expect(button.selectedIndex == 2)
    desk.backend.type("l")
    #expect(delegate.log.take() == ["1?", "is 1", "2?", "is 2", "0?", "is 0"])
  }

  @Test func aDelegateMayRefuseOrInterfere() {
    delegate.agrees = false
    desk.press("down", "down", "enter")
    #expect(button.selectedIndex == 0)
    delegate.agrees = true
    delegate.onAsk = { [button] in button.choices = ["Only"] }
    #expect(!button.propose(selectedIndex: 2))
    #expect(button.selectedIndex == 0)
    delegate.onAsk = { [button] in button.removeFromSuperview() }
    button.choices = ["a", "b"]
    #expect(button.propose(selectedIndex: 1))
    #expect(!button.propose(selectedIndex: 0))
    #expect(!button.open())
  }

  @Test func indicesThatDoNotExistSelectNothing() {
    for index in [-1, 3, .max, .min] {
      button.selectedIndex = index
      #expect(button.selectedIndex == nil)
      #expect(!button.propose(selectedIndex: index))
    }
    #expect(desk.text == "[        ▾ ]\nbelow")
    desk.press("enter", "enter")
    #expect(button.selectedIndex == 0)
    button.selectedIndex = 2
    button.choices = ["Low"]
    #expect(button.selectedIndex == nil)
    button.choices = []
    desk.press("space")
    #expect(desk.text == "[  ▾ ]\nbelow")
    #expect(PopUpButton([], selectedIndex: 4).selectedIndex == nil)
  }

  @Test func choicesMayChangeWhileItIsOpen() {
    button.open()
    button.choices = ["Other", "Normal"]
    desk.press("enter")
    #expect(button.selectedIndex == 0)
    #expect(delegate.log.take() == [])
  }

  @Test func disabledOrNarrow() {
    button.isEnabled = false
    #expect(desk.style(x: 0, y: 0) == Theme.standard.disabled)
    desk.backend.click("Low")
    #expect(!button.open())
    button.isEnabled = true
    for width in 0...7 {
      button.width = width
      _ = desk.text
      #expect(button.open())
      _ = desk.text
      desk.press("escape")
    }
    desk.backend.send(.resize(Size(width: 1, height: 1)))
    #expect(button.open())
    _ = desk.text
  }

  @Test func opensBeyondTheBordersOfADialog() {
    let other = PopUpButton(["One", "Two", "Three", "Four"])
    let dialog = Window(title: "", style: .dialog, content: other)
    desk.application.show(dialog)
    #expect(other.open())
    #expect(desk.text.contains("Two"))
    desk.backend.click("Two")
    #expect(other.selectedIndex == 1)
  }

  @Test func bindsItsSelectionAndChoices() {
    let values = button.rx.selectedIndex.record()
    let index = Property(Int?.some(1))
    index.bind(to: button.rx.selectedIndex)
    button.rx.selectedIndex.changed.bind(to: index)
    desk.backend.type("l")
    #expect(index.value == 0)
    #expect(values.elements == [0, 0])
    Property(["A"]).bind(to: button.rx.choices)
    #expect(button.choices == ["A"])
  }
}
