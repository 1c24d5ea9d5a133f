import RunnelText
import Testing

@Suite struct WikiLinkTests {
  @Test func titlesMayContainMarks() {
    #expect(WikiLink("a#b|c").titles == ["a#b|c", "a#b", "a"])
    #expect(WikiLink("#b").titles == ["#b", ""] && WikiLink("a").titles == ["a"])
  }

  @Test func titleIsReplaced() {
    let link = WikiLink("a#b|c")
    #expect(link.titles.map { link.replacing($0, with: "x").content } == ["x", "x|c", "x#b|c"])
  }

  @Test(arguments: [
    ("work/Plan", "Old", ["work/Plan"], ["work/Plan", "Plan"]),
    ("work/Plan", "Old", ["work/Plan", "plan"], ["work/Plan"]),
    ("work/Plan", "Old", ["work/Plan", "archive/Plan"], ["work/Plan", "Plan"]),
    ("Plan", "work/Plan", ["Plan"], []), ("a/Plan", "b/Plan", ["a/Plan"], ["a/Plan"]),
    ("Plan", "b/Tea", ["Plan", "b/Plan"], ["Plan"]),
  ])
  func pathGivesTitles(_ old: String, _ new: String, _ paths: [String], _ titles: [String]) {
    #expect(WikiLink.renamings(of: old, to: new, among: paths).map(\.old) == titles)
  }

  @Test func linksToRenamedTitlesFollow() {
    let text = "[[milk#x]] [[ Milk ]] [[Milk#y|z]] [[Milky]] [[a/Milk]] [[Tea]]"
    let changed = WikiLink.renaming([("Milk", "Oat"), ("a/Milk", "b/Oat")], in: text) {
      $0 == "Milk#y"
    }
    #expect(changed == "[[Oat#x]] [[Oat]] [[Milk#y|z]] [[Milky]] [[b/Oat]] [[Tea]]")
    #expect(WikiLink.renaming([], in: text) { _ in false } == text)
  }

  @Test func rangesHaveTheBrackets() {
    let text = "é [[a]] [[b|c]]"
    #expect(WikiLink.ranges(in: text).map { text[$0] } == ["[[a]]", "[[b|c]]"])
  }

  @Test(arguments: [
    ("[[a]] and [[b]]", "[[A]] and [[B]]"), ("[[[a]]]", "[[[A]]]"), ("[[]] [[a", "[[]] [[a"),
    ("[[a\nb]]", "[[a\nb]]"), ("[[a]b]] [[a[b]]", "[[a]b]] [[a[b]]"), ("", ""),
    ("ä[[ä]]", "ä[[Ä]]"),
    ("[[ a ]]x", "[[ A ]]x"), ("[[a]]]", "[[A]]]"), ("[[a] ]", "[[a] ]"), ("[[keep]]", "[[keep]]"),
    ("[[[[a]]", "[[[[A]]"),
  ])
  func linksAreReplaced(_ text: String, _ expected: String) {
    let changed = WikiLink.replacing(in: text) {
      $0.content == "keep" ? nil : WikiLink(Substring($0.content.uppercased()))
    }
    #expect(changed == expected)
  }
}
