import RunnelDesk
import Testing

/// Tests of the display of important states: whole screens with their styles.
@MainActor
@Suite struct StatesTests {
  private let editor = TextView("one two\nthree")
  private let bar = ProgressBar(0.5)
  private let status = StatusBar("Not saved: a", right: "3 notes")
  private let desk: Desk

  init() {
    desk = Desk(
      StackView(.vertical, [editor, bar, status]), focusing: editor, width: 24, height: 4)
  }

  /// A read-only text looks like an editable one, because it can be selected and copied.
  @Test func readOnlyTextLooksLikeEditableText() {
    let editable = desk.styled
    editor.isEditable = false
    #expect(desk.styled == editable)
    desk.press("ctrl+a")
    #expect(
      desk.styled == """
        one two
        three
        ████████████░░░░░░░░░░░░
         Not saved: a   3 notes
        ----
        aaaaaaaa
        aaaaa
        bbbbbbbbbbbbcccccccccccc
        dddddddddddddddddddddddd
        a: brightWhite on blue
        b: green
        c: brightBlack
        d: reverse
        cursor: (5, 1)
        """)
  }

  @Test func unsavedStateIsVisibleAfterAMessage() {
    status.show("Saved b", for: .seconds(2))
    #expect(desk.lines.last == " Saved b        3 notes")
    desk.scheduler.advance(by: .seconds(2))
    #expect(desk.lines.last == " Not saved: a   3 notes")
    // The most important part is not truncated.
    desk.backend.send(.resize(Size(width: 16, height: 4)))
    #expect(desk.lines.last == " Not saved: a …")
  }

  @Test func progressShowsItsFractionOrABlock() {
    #expect(desk.lines[2] == "████████████░░░░░░░░░░░░")
    bar.fraction = nil
    #expect(desk.lines[2] == "████░░░░░░░░░░░░░░░░░░░░")
    desk.scheduler.advance(by: .milliseconds(300))
    #expect(desk.lines[2] == "░░░████░░░░░░░░░░░░░░░░░")
    // Nothing is left in its place.
    bar.isHidden = true
    #expect(desk.lines[2] == "")
  }

  @Test func disabledEditorIsFaint() {
    editor.isEnabled = false
    #expect(desk.window.firstResponder == nil)
    #expect(
      desk.styled == """
        one two
        three
        ████████████░░░░░░░░░░░░
         Not saved: a   3 notes
        ----
        aaaaaaa
        aaaaa
        bbbbbbbbbbbbaaaaaaaaaaaa
        cccccccccccccccccccccccc
        a: brightBlack
        b: green
        c: reverse
        """)
  }
}
