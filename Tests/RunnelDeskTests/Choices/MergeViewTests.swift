import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor @Suite struct MergeViewTests {
  private let view: MergeView
  private let desk: Desk

  init() {
    let lines = (1...9).map { "line \($0)" }
    let mine = ["milk", "two bread"] + lines + ["eggs"]
    let theirs = ["milk", "ten bread", "tea"] + lines
    let merge = TextMerge(
      mine: mine.joined(separator: "\n"), theirs: theirs.joined(separator: "\n"))
    view = MergeView(merge, titles: "Mine", "Theirs")
    desk = Desk(view, width: 33, height: 12)
    desk.press("tab")
    desk.press("shift+tab")
  }

  private var choices: [TextMerge.Choice] { view.merge.differences.map(\.choice) }

  @Test func differencesAreSideBySideWithSomeEqualLines() {
    #expect(
      desk.lines == [
        "Mine              Theirs", "milk              milk", "two bread       ↔ ten bread",
        "                  tea", "line 1            line 1", "line 2            line 2",
        "⋯ 5 equal lines", "line 8            line 8", "line 9            line 9",
        "eggs            ↔", "", "[ ← Left ] [ → Right ] [ ↔ Both ]",
      ])
  }

  @Test func keysTakeLines() {
    desk.press("right")
    #expect(choices == [.theirs, .both] && desk.lines[2].contains("→"))
    desk.backend.type("B")
    #expect(choices == [.both, .both] && desk.lines[2].contains("↔"))
    desk.press("left")
    #expect(choices == [.mine, .both])
    // The lines between the differences cannot be selected.
    desk.press("down")
    desk.press("enter")
    #expect(choices == [.mine, .mine])
    desk.press("enter")
    #expect(choices == [.mine, .theirs])
    desk.press("enter")
    #expect(choices == [.mine, .both])
    desk.backend.type("x")
    #expect(choices == [.mine, .both])
    desk.press("up")
    desk.press("right")
    #expect(choices == [.theirs, .both])
    #expect(view.merge.text.hasPrefix("milk\nten bread\ntea\nline 1"))
  }

  @Test func buttonsTakeLines() {
    for (x, choice) in [(13, TextMerge.Choice.theirs), (25, .both), (3, .mine)] {
      desk.mouse(.press(.left), x: x, y: 11)
      desk.mouse(.release(.left), x: x, y: 11)
      #expect(choices == [choice, .both])
    }
  }

  /// Of two lines beside each other, the part that differs is marked, and the line that is not taken is faint.
  @Test func changedPartsAreMarked() {
    let (changed, same) = (desk.style(x: 1, y: 2), desk.style(x: 5, y: 2))
    #expect(changed != same)
    desk.press("left")
    desk.press("down")
    let (taken, refused) = (desk.style(x: 5, y: 2), desk.style(x: 24, y: 2))
    #expect(taken != refused && refused == desk.style(x: 1, y: 1))
  }

  @Test func longLinesAreWrapped() {
    let mine = "Yesterday the painter came on Friday morning"
    let view = MergeView(
      TextMerge(mine: mine, theirs: "On Sunday the painter came on Tuesday morning"),
      titles: "Mine", "Theirs")
    let desk = Desk(view, width: 44, height: 7)
    #expect(
      desk.lines == [
        "Mine                   Theirs", "Yesterday the        ↔ On Sunday the",
        "painter came on        painter came on", "Friday morning         Tuesday morning",
        "", "", "[ ← Left ] [ → Right ] [ ↔ Both ]",
      ])
    // The words that differ are marked.
    let (changed, same) = (desk.style(x: 1, y: 3), desk.style(x: 9, y: 3))
    #expect(changed != same && desk.style(x: 1, y: 1) == changed && desk.style(x: 1, y: 2) == same)
    desk.press("tab")
    desk.press("shift+tab")
    desk.press("left")
    #expect(view.merge.text == mine)
    // The lines are wrapped again, and the difference stays selected.
    desk.backend.send(.resize(Size(width: 100, height: 7)))
    #expect(desk.lines[1].hasPrefix(mine) && desk.lines[2].isEmpty)
    desk.press("right")
    #expect(view.merge.text.hasPrefix("On Sunday"))
  }

  @Test func equalTextsSayThatTheyAreTheSame() {
    let view = MergeView(TextMerge(mine: "a", theirs: "a"), titles: "Mine", "Theirs")
    let desk = Desk(view, width: 30, height: 6)
    desk.press("enter")
    #expect(desk.text.contains("Both texts are the same.") && view.merge.text == "a")
  }
}
