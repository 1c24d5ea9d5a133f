import RunnelDesk
import Testing

@Suite struct ColorTests {
  @Test func kindReturnsTheInitialKind() {
    #expect(Color.standard.kind == .standard)
    #expect(Color.palette(0).kind == .palette(0))
    #expect(Color.palette(255).kind == .palette(255))
    #expect(Color.rgb(1, 2, 255).kind == .rgb(1, 2, 255))
    #expect(Color.rgb(0, 0, 0).kind == .rgb(0, 0, 0))
    #expect(Color.brightWhite.kind == .palette(15))
  }

  @Test func colorsThatLookAlikeAreUnequal() {
    #expect(Color.rgb(0, 0, 0) != .black)
    #expect(Color.black != .standard)
    #expect(Color.rgb(0, 0, 7) != .palette(7))
  }

  @Test func descriptionNamesTheColor() {
    #expect("\(Color.standard)" == "standard")
    #expect("\(Color.red)" == "red")
    #expect("\(Color.palette(208))" == "palette 208")
    #expect("\(Color.rgb(0, 16, 255))" == "#0010ff")
  }
}
