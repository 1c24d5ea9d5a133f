import Runnel
import Testing

@testable import Notes

/// The conflict copies of a note have its name, and follow it to another one.
@MainActor @Suite struct ConflictCopiesTests {
  private func folder(_ names: String...) async throws -> TestFolder {
    let folder = try TestFolder()
    for name in names { try folder.write(name, name) }
    await folder.open()
    return folder
  }

  @Test func copiesFollowRenamingAndUndo() async throws {
    let names = [
      "Milk (conflict 2).txt", "Milk (conflict).txt", "Milk.txt", "Milky (conflict).txt",
    ]
    let folder = try await folder(names[0], names[1], names[2], names[3])
    try folder.notes.rename("Milk.txt", to: "Tea")
    await folder.settle { folder.names.contains("Tea (conflict 2).txt") }
    #expect(
      folder.names == [
        "Milky (conflict).txt", "Tea (conflict 2).txt", "Tea (conflict).txt", "Tea.txt",
      ])
    #expect(folder.read("Tea (conflict).txt") == "Milk (conflict).txt")
    #expect(folder.notes.copies(of: "Tea.txt").count == 2)
    #expect(folder.notes.undo())
    await folder.settle { folder.names.contains("Milk (conflict 2).txt") }
    #expect(folder.names == names)
  }

  @Test func copiesFollowIntoFolder() async throws {
    let folder = try await folder("Milk.md", "Milk (conflict).md")
    try folder.notes.move("Milk.md", toFolder: "work")
    await folder.settle { folder.read("work/Milk (conflict).md") != nil }
    #expect(folder.names == ["work"] && folder.read("work/Milk.md") == "Milk.md")
  }

  /// A copy whose new name is taken stays.
  @Test func copyDoesNotReplaceAnother() async throws {
    let folder = try await folder("Milk.txt", "Milk (conflict).txt", "Tea (conflict).txt")
    try folder.notes.rename("Milk.txt", to: "Tea")
    await folder.settle { folder.names.contains("Tea.txt") }
    #expect(folder.names == ["Milk (conflict).txt", "Tea (conflict).txt", "Tea.txt"])
    #expect(folder.read("Tea (conflict).txt") == "Tea (conflict).txt")
  }
}
