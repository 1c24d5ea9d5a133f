import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct RendererTests {
  /// A view that draws outside its bounds.
  private final class OverdrawingView: View, CellDrawn {
    func draw(in painter: inout Painter, theme: Theme) {
      for y in -9..<9 { painter.put("##########", at: Point(x: -3, y: y)) }
      painter.placeCursor(at: Point(x: 50, y: 50))
    }
  }

  @Test func aViewIsDrawnBeforeItsSubviews() {
    let outer = OverdrawingView()
    outer.addSubview(Label("in"))
    #expect(Desk(outer, width: 6, height: 2).text == "in####\n######")
  }

  @Test func aViewIsClippedToItsBounds() {
    let overdrawing = OverdrawingView()
    overdrawing.width = 3
    overdrawing.height = 1
    let row = StackView(.horizontal, [Label("a"), overdrawing, Label("b")])
    row.height = 1
    let desk = Desk(StackView(.vertical, [row, Label("c")]))
    #expect(desk.text == "a###b\nc")
    #expect(desk.backend.grid.cursor == nil)
  }

  @Test func hiddenViewsAreNotDrawn() {
    let label = Label("in")
    let outer = View()
    outer.addSubview(label)
    let desk = Desk(outer)
    outer.isHidden = true
    #expect(desk.text == "")
    outer.isHidden = false
    #expect(desk.text == "in")
  }

  @Test func aFullWindowHidesTheWindowsBehind() {
    let desk = Desk(Label("behind\nit"))
    let front = Window(content: Label("in"))
    desk.application.show(front)
    #expect(desk.text == "in")
    front.close()
    #expect(desk.text == "behind\nit")
  }

  @Test func dialogsAreDrawnOverTheWindowBehind() {
    let desk = Desk(Label("0123456789\n0123456789\n0123456789\n0123456789"), width: 10, height: 4)
    desk.application.show(Window(style: .dialog, content: Label("in")))
    #expect(desk.text == "01╭────╮89\n01│ in │89\n01╰────╯89\n0123456789")
  }

  @Test func aDialogFitsTheScreen() {
    let desk = Desk(View(), width: 9, height: 4)
    let label = Label("a long text\nb\nc\nd")
    desk.application.show(Window(style: .dialog, content: label))
    #expect(desk.text == "╭───────╮\n│ a lo… │\n│ b     │\n╰───────╯")
    label.width = -4
    label.height = -1
    #expect(desk.text == "\n  ╭──╮\n  ╰──╯")
    desk.backend.send(.resize(Size(width: 1, height: 1)))
    #expect(desk.backend.grid.size == Size(width: 1, height: 1))
  }

  @Test func onlyTheFrontWindowHasACursor() {
    let spot = Spot("spot")
    let desk = Desk(spot)
    desk.window.makeFirstResponder(spot)
    #expect(desk.backend.grid.cursor == .zero)
    let dialog = Window(style: .dialog, content: Label("in"))
    desk.application.show(dialog)
    #expect(desk.backend.grid.cursor == nil)
    dialog.close()
    #expect(desk.backend.grid.cursor == .zero)
  }

  @Test func usesTheThemeOfTheApplication() {
    let desk = Desk(Label("a"))
    desk.application.theme.text = TextStyle(foreground: .red)
    #expect(desk.style(x: 0, y: 0) == TextStyle(foreground: .red))
    #expect(desk.style(x: 9, y: 3) == TextStyle(foreground: .red))
  }

  // MARK: Quit hint

  @Test func anEmptyLastRowShowsTheQuitHint() {
    let hint = String(repeating: " ", count: 27) + "Ctrl+Q quits"
    let text = TextView(String(repeating: "\n", count: 8))
    let desk = Desk(text, width: 40, height: 10)
    #expect(desk.backend.grid.lines.last == hint)
    #expect(desk.style(x: 30, y: 9) == Theme.standard.faint)
    text.text += "\nlast"
    #expect(desk.backend.grid.lines.last == "last")
  }

  /// The hint appears neither on a small screen nor in the row of the caret.
  @Test func theQuitHintIsHiddenWhereItDisturbs() {
    for (width, height) in [(39, 10), (40, 9), (0, 0)] {
      #expect(Desk(View(), width: width, height: height).text == "")
    }
    let text = TextView(String(repeating: "\n", count: 9))
    let desk = Desk(focusing: text, width: 40, height: 10)
    desk.press("ctrl+end")
    #expect(desk.backend.grid.cursor == Point(x: 0, y: 9))
    #expect(desk.text == "")
    let styled = TextView()
    let other = Desk(styled, width: 40, height: 10)
    other.application.theme.text = TextStyle(background: .blue)
    #expect(other.text.contains("quits"))
  }
}
