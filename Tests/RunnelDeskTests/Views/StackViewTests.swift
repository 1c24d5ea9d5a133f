import RunnelDesk
import RunnelTesting
import Testing

@MainActor
@Suite struct StackViewTests {
  /// Lays out the stack and returns each view's origin and length along the axis.
  private func places(_ stack: StackView, width: Int, height: Int) -> [[Int]] {
    let desk = Desk(stack, width: width, height: height)
    _ = desk.text
    return stack.subviews.map {
      stack.axis == .horizontal
        ? [$0.frame.minX, $0.frame.width] : [$0.frame.minY, $0.frame.height]
    }
  }

  private func spot(_ width: Int?, _ height: Int? = 1) -> Spot {
    let spot = Spot("x")
    spot.wanted = Extent(width: width, height: height)
    return spot
  }

  @Test func flexibleViewsShareTheRemainingLength() {
    #expect(
      places(
        StackView(.horizontal, [spot(3), spot(nil), spot(2), spot(nil)]), width: 10, height: 1)
        == [[0, 3], [3, 3], [6, 2], [8, 2]])
    #expect(
      places(StackView(.vertical, [spot(1), View()]), width: 3, height: 5) == [[0, 1], [1, 4]])
  }

  @Test func earlierViewsKeepLengthWhenRoomIsScarce() {
    #expect(
      places(StackView(.horizontal, [spot(3), spot(nil), spot(4), spot(2)]), width: 5, height: 1)
        == [[0, 3], [3, 0], [3, 2], [5, 0]])
    #expect(
      places(StackView(.horizontal, [spot(3), spot(nil)]), width: 0, height: 0) == [
        [0, 0], [0, 0],
      ])
  }

  @Test func spacingSeparatesVisibleViewsOnly() {
    let views = [spot(2), spot(2), spot(nil)]
    views[1].isHidden = true
    let stack = StackView(.horizontal, spacing: 1, views)
    let desk = Desk(stack, width: 8, height: 1)
    _ = desk.text
    #expect(views[2].frame == Rect(x: 3, y: 0, width: 5, height: 1))
    views[1].isHidden = false
    _ = desk.text
    #expect(views[2].frame == Rect(x: 6, y: 0, width: 2, height: 1))
  }

  @Test func anExplicitLengthOverridesTheWantedOne() {
    let views = [spot(nil), spot(3)]
    views[0].width = 2
    views[1].width = 5
    #expect(places(StackView(.horizontal, views), width: 10, height: 1) == [[0, 2], [2, 5]])
  }

  @Test func wantsTheCombinedExtentOfItsViews() {
    let room = Size(width: 80, height: 24)
    let row = StackView(.horizontal, spacing: 2, [spot(3, 1), spot(4, 2)])
    #expect(row.wantedExtent(in: room) == Extent(width: 9, height: 2))
    let column = StackView(.vertical, [row, spot(1, 1)])
    #expect(column.wantedExtent(in: room) == Extent(width: 9, height: 3))
    column.addSubview(spot(1, nil))
    #expect(column.wantedExtent(in: room) == Extent(width: 9, height: nil))
    #expect(StackView(.vertical).wantedExtent(in: room) == Extent(width: nil, height: 0))
  }

  @Test func extremeLengthsDoNotOverflow() {
    let views = [spot(.max), spot(-5), spot(nil), spot(.max)]
    let stack = StackView(.horizontal, spacing: 1, views)
    #expect(stack.wantedExtent(in: .zero).width == nil)
    #expect(places(stack, width: 9, height: 1) == [[0, 6], [7, 0], [8, 0], [9, 0]])
    let wide = StackView(.horizontal, spacing: 1, [spot(.max), spot(.max)])
    #expect(wide.wantedExtent(in: .zero).width == .max)
  }

  @Test func changingTheAxisLaysOutAgain() {
    let stack = StackView(.horizontal, [Label("a"), Label("b")])
    let desk = Desk(stack)
    #expect(desk.text == "ab")
    stack.axis = .vertical
    #expect(desk.text == "a\nb")
    stack.spacing = 1
    #expect(desk.text == "a\n\nb")
    stack.insertSubview(Label("c"), at: 0)
    #expect(desk.text == "c\n\na")
  }

  // MARK: - Padding and alignment

  @Test func paddingKeepsCellsFree() {
    let views = [spot(3), spot(nil)]
    let stack = StackView(.horizontal, padding: Insets(top: 1, left: 2, bottom: 0, right: 1), views)
    #expect(places(stack, width: 10, height: 3) == [[2, 3], [5, 4]])
    #expect(views[0].frame.minY == 1 && views[0].frame.height == 2)
    let wanted = StackView(.vertical, padding: 1, [spot(3, 2)]).wantedExtent(in: .zero)
    #expect(wanted == Extent(width: 5, height: 4))
    stack.padding = 9
    #expect(places(stack, width: 10, height: 3).map { $0[1] } == [0, 0])
    stack.padding = Insets(horizontal: .cells(.max), vertical: -5)
    #expect(places(stack, width: 10, height: 3).map { $0[1] } == [0, 0])
    #expect(stack.wantedExtent(in: .zero).height == 1)
  }

  @Test(arguments: [
    (StackView.Alignment.fill, [0, 9], [0, 9]), (.leading, [0, 4], [0, 9]),
    (.center, [2, 4], [0, 9]), (.trailing, [5, 4], [0, 9]),
  ])
  func alignmentPlacesViewsAcrossTheAxis(
    _ alignment: StackView.Alignment, _ fixed: [Int], _ flexible: [Int]
  ) {
    let views = [spot(4, 1), spot(nil, 1), spot(99, 1)]
    let column = StackView(.vertical, alignment: alignment, views)
    _ = Desk(column, width: 9, height: 5).text
    #expect(views.map { [$0.frame.minX, $0.frame.width] } == [fixed, flexible, [0, 9]])
    let row = StackView(.horizontal, alignment: alignment, [spot(2, 4), spot(2, nil)])
    _ = Desk(row, width: 9, height: 9).text
    #expect(row.subviews.map { [$0.frame.minY, $0.frame.height] } == [fixed, flexible])
  }
}
