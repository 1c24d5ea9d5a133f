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
  let cells = (0..<size.width * size.height).map {
    PlainCell(glyph: UInt32($0), style: TextStyle())
  }
  var other = cells
  for index in 8_151..<8_160 { other[index] = PlainCell(glyph: 0, style: style) }
  report.ratio(
    "one word changes", per: 2,
    baseline: {
      consume(differences(of: cells, other))
      consume(differences(of: other, cells))
    },
    measured: {
      consume(writer.bytes(from: before, to: after))
      consume(writer.bytes(from: after, to: before))
    })
  report.bytes("one word changes, bytes", writer.bytes(from: before, to: after).count)
  _ = writer.bytes(from: after, to: before)
  report.allocations("one word changes, allocations", per: 2) {
    consume(writer.bytes(from: before, to: after))
    consume(writer.bytes(from: after, to: before))
  }
  report.ratio(
    "the screen is drawn", per: 1,
    baseline: {
      for _ in 0..<size.height { consume(line.prefix(size.width).map { ($0, TextStyle()) }) }
    },
    measured: {
      after.clear()
      draw(&after)
    })
  report.ratio(
    "full output of the screen", per: 1,
    baseline: {
      var bytes: [UInt8] = []
      for y in 0..<size.height {
        for x in 0..<size.width { bytes += String(before[Point(x: x, y: y)].character).utf8 }
      }
      consume(bytes)
    },
    measured: { consume(writer.bytes(from: nil, to: before)) })

  var parser = InputParser()
  let keys = Array(String(repeating: "hello \u{1B}[A\u{1B}[<0;10;10M", count: 1_000).utf8)
  report.ratio(
    "a key is parsed", per: 8_000,
    baseline: { consume(String(decoding: keys, as: UTF8.self).map { $0 }) },
    measured: { consume(parser.parse(keys)) })
}

/// A cell of a grid as an array would hold it.
private struct PlainCell: Equatable {
  let glyph: UInt32
  let style: TextStyle
}

/// Returns the indices at which two arrays differ.
@inline(never)
private func differences(of one: [PlainCell], _ other: [PlainCell]) -> [Int] {
  one.indices.filter { one[$0] != other[$0] }
}
