import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ProgressBarTests {
  private let bar = ProgressBar()

  @Test(arguments: [
    (0, "░░░░"), (1, "████"), (0.5, "██░░"), (0.55, "██▏░"), (0.99, "███▉"), (-1, "░░░░"),
    (7, "████"), (.nan, "░░░░"), (.infinity, "████"), (0.001, "░░░░"),
  ])
  func showsTheFraction(_ fraction: Double, _ text: String) {
    let desk = Desk(bar, width: 4, height: 1)
    bar.fraction = fraction
    #expect(desk.text == text)
    #expect(bar.wantedExtent(in: .zero) == Extent(height: 1))
  }

  @Test func aBlockMovesWithoutAFraction() {
    let desk = Desk(bar, width: 5, height: 1)
    bar.fraction = nil
    var pictures: [String] = []
    for _ in 0..<10 {
      pictures.append(desk.text)
      desk.scheduler.advance(by: .milliseconds(100))
    }
    #expect(
      pictures == [
        "█░░░░", "░█░░░", "░░█░░", "░░░█░", "░░░░█", "░░░█░", "░░█░░", "░█░░░", "█░░░░", "░█░░░",
      ])
  }

  @Test func theBlockStopsWhileHidden() {
    let desk = Desk(bar, width: 5, height: 1)
    bar.fraction = nil
    _ = desk.text
    _ = desk.text
    #expect(desk.scheduler.pending == 1)
    bar.fraction = 1
    desk.scheduler.advance(by: .seconds(1))
    _ = desk.text
    #expect(desk.scheduler.pending == 0)
    bar.fraction = nil
    bar.isHidden = true
    _ = desk.text
    #expect(desk.scheduler.pending == 0)
    desk.backend.send(.resize(Size(width: 1, height: 1)))
    bar.isHidden = false
    #expect(desk.text == "█")
  }

  @Test func isReleasedDuringItsAnimation() {
    weak var held: ProgressBar?
    let row = StackView(.vertical)
    let desk = Desk(row)
    do {
      let bar = ProgressBar(nil)
      held = bar
      row.addSubview(bar)
      _ = desk.text
      bar.removeFromSuperview()
    }
    #expect(held == nil)
    desk.scheduler.advance(by: .seconds(1))
    #expect(desk.text == "")
  }

  @Test func followsAProperty() {
    let done = Property<Double?>(0.5)
    let desk = Desk(bar, width: 4, height: 1)
    done.bind(to: bar.rx.fraction)
    #expect(desk.text == "██░░")
    done.value = nil
    #expect(bar.fraction == nil)
  }
}
