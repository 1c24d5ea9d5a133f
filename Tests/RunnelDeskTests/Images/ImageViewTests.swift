import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ImageViewTests {
  private typealias Pixel = PixelImage.Pixel
  private let red = Pixel(200, 0, 0)
  private let white = Pixel(255, 255, 255)
  private let black = Pixel(0, 0, 0)

  private func image(_ rows: [[PixelImage.Pixel]]) -> PixelImage {
    var image = PixelImage(
      size: Size(width: rows.first?.count ?? 0, height: rows.count), filledWith: Pixel(0, 0, 0))
    for (y, row) in rows.enumerated() {
      for (x, pixel) in row.enumerated() { image[x, y] = pixel }
    }
    return image
  }

  @Test func eachCellShowsTwoPixels() {
    let clear = Pixel(9, 9, 9, alpha: 127)
    let view = ImageView(
      image([
        [white, black, red, clear, black], [red, white, red, white, black],
        [red, clear, clear, clear, black],
      ]))
    let desk = Desk(view, width: 5, height: 2)
    #expect(desk.backend.grid.lines == ["▀▄ ▄", "▀   ▀"])
    func style(_ foreground: Pixel, _ background: Pixel?) -> TextStyle {
      let style = Theme.standard.text.foreground(
        .rgb(foreground.red, foreground.green, foreground.blue))
      return background.map { style.background(.rgb($0.red, $0.green, $0.blue)) } ?? style
    }
    #expect(desk.style(x: 0, y: 0) == style(white, red))
    #expect(desk.style(x: 1, y: 0) == style(white, black))
    #expect(desk.style(x: 2, y: 0) == style(red, red))
    #expect(desk.style(x: 3, y: 0) == style(white, nil))
    #expect(desk.style(x: 0, y: 1) == style(red, nil))
    #expect(desk.style(x: 1, y: 1) == Theme.standard.text)
  }

  @Test(arguments: [
    (10, 4, "  ██████\n  ██████\n  ██████\n  ██████"), (4, 4, "████\n████\n████"),
    (2, 9, "\n\n\n██\n██"), (1, 1, "▀"), (0, 3, ""), (3, 0, ""),
  ])
  func pictureFitsWithItsProportions(width: Int, height: Int, expected: String) {
    // 4 × 5 pixels: square pixels are half a cell high.
    let view = ImageView(PixelImage(size: Size(width: 4, height: 5), filledWith: white))
    let desk = Desk(view, width: width, height: height)
    #expect(desk.text.replacing("▀", with: "█") == expected.replacing("▀", with: "█"))
  }

  @Test func downScalingKeepsSmallPictures() {
    let view = ImageView(PixelImage(size: Size(width: 2, height: 2), filledWith: white))
    let desk = Desk(view, width: 6, height: 3)
    #expect(desk.text == "██████\n██████\n██████")
    view.scaling = .down
    #expect(desk.text == "\n  ██")
    view.alignment = .trailing
    #expect(desk.text == "\n    ██")
    view.image = nil
    #expect(desk.text == "")
    Property<PixelImage?>(image([[white], [white]])).bind(to: view.rx.image)
    #expect(desk.text == "\n     █")
  }

  @Test func scalingAveragesPixelsByOpacity() {
    let clear = Pixel(255, 255, 255, alpha: 0)
    let view = ImageView(image([[black, white, red, clear], [white, black, red, clear]]))
    let desk = Desk(view, width: 2, height: 1)
    #expect(desk.style(x: 0, y: 0).foreground == .rgb(127, 127, 127))
    // Half opaque after averaging.
    #expect(desk.style(x: 1, y: 0).foreground == Theme.standard.text.foreground)
    #expect(desk.text == "▀")
  }

  @Test(arguments: [(0, 0), (0, 5), (5, 0)])
  func emptyPicturesShowNothing(width: Int, height: Int) {
    let view = ImageView(PixelImage(size: Size(width: width, height: height), filledWith: white))
    #expect(Desk(view).text == "")
    #expect(PixelImage(size: Size(width: width, height: height), rgba: []) != nil)
  }

  @Test func pictureIsReadAloudByItsLabel() {
    let view = ImageView()
    let desk = Desk(view)
    view.accessibilityLabel = "Cover"
    #expect(desk.backend.readLines().contains("Cover, image"))
  }
}
