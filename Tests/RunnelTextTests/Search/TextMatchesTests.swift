import RunnelText
import Testing

@Suite struct TextMatchesTests {
  @Test(arguments: [
    ("mi", ["Milk", "mint", "Almíra"]), ("", ["Almíra", "Milk", "Tea", "mint"]), ("x", []),
    ("TEA", ["Tea"]),
  ])
  func textsThatBeginAreFirst(_ typed: String, _ expected: [String]) {
    #expect(["Almíra", "Milk", "Tea", "mint"].matching(typed) == expected)
  }
}
