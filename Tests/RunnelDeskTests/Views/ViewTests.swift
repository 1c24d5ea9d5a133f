import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ViewTests {
  // MARK: Subviews

  @Test func aViewHasAtMostOneSuperview() {
    let (first, second, view) = (View(), View(), View())
    first.addSubview(view)
    second.addSubview(view)
    #expect(first.subviews.isEmpty)
    #expect(second.subviews.count == 1)
    #expect(view.superview === second)
  }

  @Test func subviewsKeepTheirIndex() {
    let view = View()
    let views = (0..<4).map { _ in View() }
    view.addSubview(views[1])
    view.insertSubview(views[0], at: -1)
    view.insertSubview(views[3], at: 9)
    view.insertSubview(views[2], at: 2)
    #expect(zip(view.subviews, views).allSatisfy { $0 === $1 })
    view.addSubview(views[0])
    #expect(view.subviews.last === views[0])
    #expect(view.subviews.count == 4)
  }

  @Test func containsItselfAndAllDescendants() {
    let (outer, middle, inner) = (View(), View(), View())
    outer.addSubview(middle)
    middle.addSubview(inner)
    #expect(outer.contains(inner) && outer.contains(outer))
    #expect(!inner.contains(outer))
    middle.removeFromSuperview()
    #expect(!outer.contains(inner))
    middle.removeFromSuperview()
  }

  @Test func aViewInsideItsOwnDescendantTraps() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let (outer, inner) = (View(), View())
        outer.addSubview(inner)
        inner.addSubview(outer)
      }
    }
  }

  @Test func knowsItsWindowAndFrame() {
    let log = Log()
    let spot = Spot("spot", log)
    let row = StackView(.horizontal, spacing: 1, [Label("ab"), spot])
    let desk = Desk(StackView(.vertical, [Label("x"), row]))
    _ = desk.text
    #expect(spot.window === desk.window)
    #expect(spot.frameInWindow == Rect(x: 3, y: 1, width: 4, height: 1))
    #expect(spot.bounds == Rect(x: 0, y: 0, width: 4, height: 1))
    row.removeFromSuperview()
    #expect(spot.window == nil)
  }

  // MARK: Availability

  @Test func isAvailableWithinAvailableAncestors() {
    let (outer, inner) = (View(), View())
    outer.addSubview(inner)
    #expect(inner.isAvailable)
    outer.isHidden = true
    #expect(!inner.isAvailable)
    outer.isHidden = false
    outer.isEnabled = false
    #expect(!inner.isAvailable)
  }

  @Test func bindersHideAndDisable() {
    let view = View()
    let isOn = Property(false)
    isOn.bind(to: view.rx.isHidden)
    isOn.map { !$0 }.bind(to: view.rx.isEnabled)
    #expect(!view.isHidden && view.isEnabled)
    isOn.value = true
    #expect(view.isHidden && !view.isEnabled)
  }

  @Test func aBoundViewIsNotRetained() {
    let isOn = Property(false)
    var view: View? = View()
    weak let held = view
    if let view { isOn.bind(to: view.rx.isHidden) }
    view = nil
    #expect(held == nil)
    #expect(!isOn.isObserved)
  }

  // MARK: Keys

  @Test func aKeyTravelsUpUntilItIsHandled() {
    let log = Log()
    let (outer, inner) = (Spot("outer", log), Spot("inner", log))
    outer.addSubview(inner)
    let desk = Desk(outer)
    desk.window.makeFirstResponder(inner)
    outer.takes = { _ in true }
    _ = log.take()
    desk.backend.press("a")
    #expect(log.take() == ["outer key a"])
    inner.takes = { $0 == KeyPress("a") }
    desk.backend.type("ab")
    #expect(log.take() == ["inner key a", "outer key b"])
  }

  @Test func aKeyIsACommandOrText() {
    final class Field: View {
      var heard: [String] = []
      override var canBecomeFirstResponder: Bool { true }
      override func perform(_ command: Command) -> Bool {
        heard.append("\(command)")
        return command != .cancel
      }
      override func insert(_ text: String) -> Bool {
        heard.append(text)
        return true
      }
    }
    let field = Field()
    let desk = Desk(field)
    desk.window.makeFirstResponder(field)
    desk.backend.type("ä ")
    desk.backend.press("shift+X")
    desk.backend.press("ctrl+home")
    desk.backend.press("escape")
    desk.backend.press("f5")
    desk.backend.press("alt+x")
    desk.application.keyBindings["x"] = .selectAll
    desk.backend.type("x")
    desk.backend.send(.paste("a\nb"))
    #expect(
      field.heard == [
        "ä", " ", "X", "move(RunnelDesk.Movement.start)", "cancel", "selectAll", "a\nb",
      ])
  }

  @Test func pastedTextHasLineFeeds() {
    let editor = TextView()
    let desk = Desk(editor)
    desk.window.makeFirstResponder(editor)
    desk.backend.send(.paste("one\r\ntwo\rthree\n"))
    #expect(editor.text == "one\ntwo\nthree\n")
    desk.backend.clipboard = "\r\n"
    desk.backend.press("ctrl+v")
    #expect(editor.text == "one\ntwo\nthree\n\n")
  }

  @Test func rebindingInKeyDownAppliesAtOnce() {
    final class Performer: View {
      var commands: [Command] = []
      override func perform(_ command: Command) -> Bool {
        commands.append(command)
        return true
      }
    }
    final class Rebinder: View {
      override var canBecomeFirstResponder: Bool { true }
      override func keyDown(_ key: KeyPress) -> Bool {
        window?.application?.keyBindings[key] = .selectAll
        return false
      }
    }
    let (performer, rebinder) = (Performer(), Rebinder())
    performer.addSubview(rebinder)
    let desk = Desk(performer)
    desk.application.keyBindings["f5"] = .undo
    desk.window.makeFirstResponder(rebinder)
    desk.backend.press("f5")
    #expect(performer.commands == [.selectAll])
  }
}
