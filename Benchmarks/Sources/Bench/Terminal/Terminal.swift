import RunnelDesk
import RunnelTerminal

/// Measures a screen of 200 × 60 cells: drawing it, and updating the terminal.
func measureTerminal(_ report: inout Report) {
  let size = Size(width: 200, height: 60)
  let line = String(repeating: "word after word ", count: 13)
  func draw(_ grid: inout Grid) {
    for y in 0..<size.height { grid.put(line, at: Point(x: 0, y: y)) }
  }
  var before = Grid(size)
  draw(&before)
  before.cursor = Point(x: 150, y: 40)
  var after = before
  let style = TextStyle(foreground: .rgb(255, 200, 100), effects: .bold)
  after.put("something", at: Point(x: 151, y: 40), style: style)
  after.cursor = Point(x: 160, y: 40)

  var writer = FrameWriter(colors: .full)
  writer.isSynchronized = true
  _ = writer.bytes(from: nil, to: before)
  report.time("one word changes", per: 2) {
    consume(writer.bytes(from: before, to: after))
    consume(writer.bytes(from: after, to: before))
  }
  report.bytes("one word changes, bytes", writer.bytes(from: before, to: after).count)
  _ = writer.bytes(from: after, to: before)
  report.allocations("one word changes, allocations", per: 2) {
    consume(writer.bytes(from: before, to: after))
    consume(writer.bytes(from: after, to: before))
  }
  report.time("the screen is drawn", per: 1) {
    after.clear()
    draw(&after)
  }
  report.time("full output of the screen", per: 1) { consume(writer.bytes(from: nil, to: before)) }

  var parser = InputParser()
  let keys = Array(String(repeating: "hello \u{1B}[A\u{1B}[<0;10;10M", count: 1_000).utf8)
  report.time("a key is parsed", per: 8_000) { consume(parser.parse(keys)) }
}
