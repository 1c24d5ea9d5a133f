import Foundation
import Runnel
import RunnelTesting
import Testing

/// The texts of a folder, and what is typed into them.
private final class Editor {
  let files: FolderProperty<String>
  let drafts: Drafts<String>
  let isFull = Monitor(false)
  var saved: [String] = []
  var counts = (edits: 0, failures: 0)

  init(_ path: String, on loop: EventLoop) {
    var calls = FileCalls.system
    let (write, isFull) = (calls.write, isFull)
    calls.write = { file, buffer throws(SystemError) in
      if isFull.withLock({ $0 }) { throw SystemError(ENOSPC) }
      return try write(file, buffer)
    }
    files = FolderProperty(Folder(path, calls: calls), on: loop) { name, folder in
      (try? folder.file(name).contents().bytes).map { String(decoding: $0, as: UTF8.self) }
    }
    drafts = Drafts(in: files)
    drafts.saves.observeNext { [weak self] in self?.saved.append("\($0.name) \($0.outcome)") }
    drafts.edits.observeNext { [weak self] in self?.counts.edits += 1 }
    drafts.failures.observeNext { [weak self] in self?.counts.failures += 1 }
    files.open()
  }

  func type(_ text: String, into name: FileName) {
    drafts.edit(name, text, of: files.items[name].map { Array($0.utf8) })
  }
}

@Suite(.timeLimit(.minutes(2))) struct DraftsTests {
  private func withEditor(
    _ body: @escaping @Sendable (OnLoop<Editor>) throws -> Void
  ) async throws {
    try await ManualContext.onThread { _ in
      Result {
        let editor = try OnLoop { path, loop in
          try? Data("one".utf8).write(to: URL(fileURLWithPath: "\(path)/a"))
          return Editor(path, on: loop)
        }
        defer { editor.close() }
        editor.settle { $0.files.items["a"] == "one" && $0.files.progress.value == nil }
        try body(editor)
      }
    }.get()
  }

  @Test func whatIsTypedIsKeptUntilItIsSaved() async throws {
    try await withEditor { editor in
      editor {
        $0.type("two", into: "a")
        $0.type("three", into: "a")
        $0.type("new", into: "b")
      }
      #expect(editor { $0.drafts["a"]?.text } == "three")
      #expect(editor { $0.drafts.all.map(\.name) } == ["a", "b"])
      #expect(editor.read("a") == "one")
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty && $0.files.items["b"] == "new" }
      #expect(editor.read("a") == "three" && editor.read("b") == "new")
      #expect(editor { Set($0.saved) } == ["a saved", "b saved"])
      #expect(editor { $0.counts.edits } == 3)
      editor { $0.drafts.save() }
      #expect(editor { $0.saved.count } == 2)
    }
  }

  /// Text that comes while a save is on its way is saved by the next one.
  @Test func whatIsTypedMeanwhileStays() async throws {
    try await withEditor { editor in
      editor {
        $0.type("two", into: "a")
        $0.drafts.save()
        $0.type("three", into: "a")
      }
      editor.settle { $0.saved.count == 1 }
      #expect(editor { $0.drafts["a"]?.text } == "three" && editor.read("a") == "two")
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "three")
    }
  }

  @Test func whatCannotBeSavedIsKeptWithTheReason() async throws {
    try await withEditor { editor in
      editor {
        $0.isFull.withLock { $0 = true }
        $0.type("two", into: "a")
        $0.drafts.save()
      }
      editor.settle { $0.counts.failures == 1 }
      #expect(editor { $0.drafts.unsaved.value } == ["a": .full("\(editor.path)/a")])
      #expect(editor { $0.drafts["a"]?.bytes } == Array("two".utf8))
      // It goes by another name meanwhile, and what it was is another file.
      rename("\(editor.path)/a", "\(editor.path)/b")
      editor { $0.drafts.rename("a", to: "b") }
      #expect(editor { Array($0.drafts.unsaved.value.keys) } == ["b"])
      editor {
        $0.isFull.withLock { $0 = false }
        $0.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("b") == "two" && editor.read("a") == nil)
      #expect(editor { $0.drafts.unsaved.value.isEmpty })
    }
  }

  /// Neither of two texts gives way when one is to go by the name of the other one.
  @Test func noTextTakesThePlaceOfAnother() async throws {
    try await withEditor { editor in
      editor {
        $0.type("two", into: "a")
        $0.type("three", into: "b")
        $0.drafts.rename("a", to: "b")
        $0.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "two" && editor.read("b") == "three")
    }
  }

  @Test func whatIsTakenAwayIsNotSaved() async throws {
    try await withEditor { editor in
      let isBack = editor { editor -> Bool in
        editor.type("two", into: "a")
        guard let draft = editor.drafts.remove("a") else { return false }
        editor.drafts.save()
        editor.drafts.putBack(draft)
        // There is another one by now: that stays.
        let old = editor.drafts.remove("a")
        editor.type("three", into: "a")
        if let old { editor.drafts.putBack(old) }
        return editor.drafts["a"]?.text == "three"
      }
      #expect(isBack && editor.read("a") == "one")
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "three")
    }
  }

  /// Others write while there is a draft: the item stays, and so does what they have written.
  @Test func aConflictKeepsBoth() async throws {
    try await withEditor { editor in
      editor { $0.type("mine", into: "a") }
      try editor.write("a", "theirs")
      try editor.write("c", "later")
      editor.settle { $0.files.items["c"] == "later" }
      #expect(editor { $0.files.items["a"] } == "one")
      editor { $0.drafts.save() }
      editor.settle { $0.files.items["a (conflict)"] == "theirs" && $0.files.items["a"] == "mine" }
      #expect(editor { $0.saved.count } == 1)
    }
  }
}
