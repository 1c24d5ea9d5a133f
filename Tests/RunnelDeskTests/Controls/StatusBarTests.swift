import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct StatusBarTests {
  private let bar = StatusBar("3 notes", right: "saved")
  private let desk: Desk

  init() {
    desk = Desk(bar, width: 20, height: 1)
  }

  @Test func showsATextOnEachSide() {
    #expect(desk.text == " 3 notes      saved")
    #expect(desk.style(x: 19, y: 0) == Theme.standard.status)
    bar.text = "a rather long text"
    #expect(desk.text == " a rather long text")
    bar.text = "not that long"
    #expect(desk.text == " not that long sav…")
    bar.rightText = ""
    bar.text = "a text that is far too long"
    #expect(desk.text == " a text that is fa…")
    for width in 0...3 {
      desk.backend.send(.resize(Size(width: width, height: 1)))
      #expect(desk.backend.grid.size.width == width)
    }
  }

  @Test func aMessageIsShownForATime() {
    bar.show("Renamed", for: .seconds(2))
    #expect(desk.text == " Renamed      saved")
    bar.text = "4 notes"
    desk.scheduler.advance(by: .seconds(1))
    #expect(bar.message == "Renamed")
    desk.scheduler.advance(by: .seconds(1))
    #expect(desk.text == " 4 notes      saved")
    #expect(bar.message == nil)
  }

  /// A message takes the room of the right text, and more rows if it needs them.
  @Test func longMessageIsShownWhole() {
    let desk = Desk(StackView(.vertical, [TextView("text"), bar]), width: 20, height: 6)
    bar.show("No room is left.")
    #expect(desk.lines[5] == " No room is left. …" && desk.lines[0] == "text")
    bar.show("No room is left on the disk, so nothing is saved.")
    #expect(
      desk.lines == [
        "text", "", "", " No room is left on", " the disk, so", " nothing is saved.",
      ])
    bar.show("No room is left on the disk, so nothing is saved. Delete some files.")
    #expect(desk.lines[5].hasPrefix(" nothing is saved.") && desk.lines[5].hasSuffix("…"))
    desk.scheduler.advance(by: .seconds(4))
    #expect(desk.lines[5] == " 3 notes      saved" && desk.lines[4] == "")
  }

  @Test func aNewMessageReplacesTheOld() {
    bar.show("one", for: .seconds(2))
    desk.scheduler.advance(by: .seconds(1))
    bar.show("two", for: .seconds(2))
    #expect(desk.scheduler.pending == 1)
    desk.scheduler.advance(by: .seconds(1))
    #expect(desk.text == " two          saved")
    desk.scheduler.advance(by: .seconds(1))
    #expect(desk.text == " 3 notes      saved")
    bar.show("three")
    bar.hideMessage()
    #expect(desk.text == " 3 notes      saved")
    #expect(desk.scheduler.pending == 0)
    bar.show("four", for: .seconds(-1))
    desk.scheduler.advance(by: .zero)
    #expect(bar.message == nil)
  }

  @Test func messagesExpireWithoutAnApplication() {
    let scheduler = TestScheduler()
    Current.with(scheduler: scheduler) {
      let bar = StatusBar()
      bar.show("early", for: .seconds(1))
      #expect(bar.message == "early")
      scheduler.advance(by: .seconds(1))
      #expect(bar.message == nil)
    }
  }

  @Test func followsProperties() {
    let count = Property(1)
    count.map { "\($0) found" }.bind(to: bar.rx.text)
    count.map { "\($0)" }.bind(to: bar.rx.rightText)
    count.value = 12
    #expect(desk.text == " 12 found        12")
  }
}
