import RunnelTesting
import Testing

@testable import Notes

@MainActor
@Suite(.serialized) struct NoteFolderTests {
  @Test func whatIsThereIsListed() async throws {
    let folder = try TestFolder()
    for name in [
      "Milk.txt", "b.md", "c.markdown", ".hidden.txt", "d.txt~", "e.swp", "f.jpg", "G.TXT",
    ] {
      try folder.write(name, "text of \(name)\n")
    }
    await folder.open()
    #expect(folder.titles == ["G", "Milk", "b", "c"])
    #expect(folder.notes["Milk.txt"]?.text == "text of Milk.txt\n")
    #expect(folder.problems == [])
  }

  @Test func whatOthersDoAppears() async throws {
    let folder = try TestFolder()
    await folder.open()
    #expect(folder.titles == [])
    try folder.write("a.txt", "one")
    await folder.settle { folder.titles == ["a"] }
    try folder.write("a.txt", "two")
    await folder.settle { folder.notes["a.txt"]?.text == "two" }
    try folder.move("a.txt", to: "b.txt")
    await folder.settle { folder.titles == ["b"] }
    try folder.delete("b.txt")
    await folder.settle { folder.titles == [] }
  }
}
