import RunnelDesk
import Testing

@Suite struct TextStyleTests {
  @Test func descriptionListsEffectsAndColors() {
    #expect("\(TextStyle.plain)" == "plain")
    let style = TextStyle(foreground: .red, background: .rgb(1, 2, 3), effects: [.strike, .bold])
    #expect("\(style)" == "bold strike red on #010203")
  }

  @Test func modifiersChangeOneProperty() {
    let style = TextStyle(foreground: .red, effects: .bold)
    #expect(style.adding(.dim) == TextStyle(foreground: .red, effects: [.bold, .dim]))
    #expect(style.foreground(.blue) == TextStyle(foreground: .blue, effects: .bold))
    #expect(
      style.background(.blue)
        == TextStyle(foreground: .red, background: .blue, effects: .bold))
  }
}
