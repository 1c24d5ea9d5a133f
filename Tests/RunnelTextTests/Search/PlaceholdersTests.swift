import RunnelText
import Testing

@Suite struct PlaceholdersTests {
  @Test(arguments: [
    ("{{a}}-{{b}}", "{{b}}-2"), ("{{{a}}}", "{{{b}}}"), ("{{c}} {{a", "{{c}} {{a"), ("", ""),
    ("{{a}}{{{{a}}", "{{b}}{{{{b}}"), ("é{{b}}é", "é2é"),
  ])
  func knownNamesAreReplaced(_ text: String, _ expected: String) {
    #expect(text.filling(["a": "{{b}}", "b": "2"]) == expected)
  }
}
