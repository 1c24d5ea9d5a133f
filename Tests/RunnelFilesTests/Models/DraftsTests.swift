import Foundation
import RunnelCollections
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import Synchronization
import Testing

/// The texts of a folder and their drafts.
private final class Editor {
  let files: FolderProperty<String>
  let drafts: Drafts<String>
  let isFull = Monitor(false)
  /// The names of saved files, without the outcomes. A process that another test is starting holds
  /// all files open for writing for a moment, which may cause a conflict.
  var saved: [FileName] = []
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
    drafts.saves.observeNext { [weak self] in self?.saved.append($0.name) }
    drafts.edits.observeNext { [weak self] in self?.counts.edits += 1 }
    drafts.failures.observeNext { [weak self] in self?.counts.failures += 1 }
    files.open()
  }

  func type(_ text: String, into name: FileName) {
    drafts.edit(name, text, of: files.items[name].map { Array($0.utf8) })
  }
}

@Suite struct DraftsTests {
  /// Edits a text while the disk is full, so that saving fails.
  private func typeUnsavable(_ text: String, _ editor: OnLoop<Editor>) {
    editor {
      $0.isFull.withLock { $0 = true }
      $0.type(text, into: "a")
      $0.drafts.save()
    }
    editor.settle { $0.counts.failures == 1 }
  }

  private func withEditor(
    _ body: @escaping @Sendable (OnLoop<Editor>) throws -> Void
  ) async throws {
    try await ManualContext.onThread { _ in
      Result {
        let editor = try OnLoop { path, loop in
          try? replaceFile("\(path)/a", "one")
          return Editor(path, on: loop)
        }
        defer { editor.close() }
        editor.settle { $0.files.items["a"] == "one" && $0.files.progress.value == nil }
        try body(editor)
      }
    }.get()
  }

  /// A text that counts how often it is built.
  private final class CountedText: DraftText {
    let count = Mutex(0)

    var text: String {
      count.withLock { $0 += 1 }
      return "two"
    }
  }

  @Test func textIsBuiltOnceForEachSave() async throws {
    try await withEditor { editor in
      let text = CountedText()
      for saves in 1...2 {
        editor {
          for _ in 0..<3 { $0.drafts.edit("a", text, of: Array("one".utf8)) }
        }
        #expect(text.count.withLock { $0 } == saves - 1)
        editor { $0.drafts.save() }
        editor.settle { $0.drafts.isEmpty }
        #expect(text.count.withLock { $0 } == saves)
      }
      #expect(editor.read("a") == "two")
    }
  }

  /// A text is saved where it was read, not to the target of a link that appears before the save.
  @Test func draftDoesNotFollowNewLink() async throws {
    try await withEditor { editor in
      let (path, outside) = (editor.path, FileManager.default.temporaryDirectory)
      let secret = outside.appending(path: "runnel-\(UUID())").path()
      try replaceFile(secret, "secret")
      defer { unlink(secret) }
      for isNew in [false, true] {
        let name: FileName = isNew ? "new" : "a"
        editor { $0.type("two", into: name) }
        symlink(secret, "\(path)/link")
        rename("\(path)/link", "\(path)/\(name)")
        editor { $0.drafts.save() }
        editor.settle { $0.drafts.isEmpty && $0.files.items[name] == "two" }
        #expect(editor.read(name.text) == "two")
        let copy = "\(path)/\(name) (conflict)"
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: copy)) == secret)
      }
      #expect(try SafeFile(secret).contents().bytes == Array("secret".utf8))
      // A link that the text was read through is followed, even under another name.
      try FileManager.default.removeItem(atPath: "\(path)/a (conflict)")
      symlink("a", "\(path)/b")
      editor.settle { $0.files.items["b"] == "two" }
      editor {
        $0.drafts.move("b", to: "c")
        $0.files.put("two", as: "c")
        $0.files.put(nil, as: "b")
        $0.type("three", into: "c")
        $0.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty && $0.files.items["a"] == "three" }
      #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/c")) == "a")
    }
  }

  @Test func draftIsKeptUntilSaved() async throws {
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
      #expect(editor { Set($0.saved) } == ["a", "b"])
      #expect(editor { $0.counts.edits } == 3)
      editor { $0.drafts.save() }
      #expect(editor { $0.saved.count } == 2)
    }
  }

  /// A text that is edited during a save is saved by the next one.
  @Test func editDuringSaveIsKept() async throws {
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

  @Test func failedSaveKeepsDraftAndError() async throws {
    try await withEditor { editor in
      typeUnsavable("two", editor)
      #expect(editor { $0.drafts.unsaved.value } == ["a": .full("\(editor.path)/a")])
      #expect(editor { $0.drafts["a"]?.bytes } == Array("two".utf8))
      // The file is renamed meanwhile, and the old name is unused.
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

  /// No text is lost if a draft is renamed to the name of another one.
  @Test func renameKeepsBothDrafts() async throws {
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

  @Test func removedDraftIsNotSaved() async throws {
    try await withEditor { editor in
      let isBack = editor { editor -> Bool in
        editor.type("two", into: "a")
        guard let draft = editor.drafts.remove("a") else { return false }
        editor.drafts.save()
        let name = editor.drafts.putBack(draft)
        return name == "a" && editor.drafts["a"] === draft
      }
      #expect(isBack && editor.read("a") == "one")
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "two")
    }
  }

  /// Another draft has the name by now, and a file has the first name for copies.
  @Test func putBackUsesUnusedName() async throws {
    try await withEditor { editor in
      try editor.write("a (conflict)", "copy")
      editor.settle { $0.files.items["a (conflict)"] == "copy" }
      let names = editor { editor -> [FileName] in
        editor.type("two", into: "a")
        let first = editor.drafts.remove("a")
        editor.type("three", into: "a")
        let second = editor.drafts.remove("a")
        editor.type("four", into: "a")
        return [first, second].compactMap { $0.map { editor.drafts.putBack($0) } }
      }
      #expect(names == ["a (conflict 2)", "a (conflict 3)"])
      #expect(editor { $0.drafts.all.map(\.text) } == ["four", "two", "three"])
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "four" && editor.read("a (conflict)") == "copy")
      #expect(editor.read(names[0].text) == "two" && editor.read(names[1].text) == "three")
    }
  }

  // MARK: - Moving

  /// Saves wait until the move has finished.
  @Test func draftIsSavedToMovedFile() async throws {
    try await withEditor { editor in
      editor {
        $0.type("two", into: "a")
        $0.drafts.save()
        $0.type("three", into: "a")
        $0.drafts.move("a", to: "b")
        $0.drafts.rename("a", to: "b")
        $0.drafts.save()
        $0.type("four", into: "b")
        $0.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty && $0.files.items["b"] == "four" }
      #expect(editor.read("a") == nil && editor.read("b") == "four")
      #expect(editor { Set($0.saved) } == ["a", "b"])
    }
  }

  /// A save under the old name would create the moved file again.
  @Test func draftRenamedAfterTheMoveIsSavedOnce() async throws {
    try await withEditor { editor in
      editor {
        $0.type("two", into: "a")
        $0.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty }
      editor { editor in
        editor.drafts.move("a", to: "b") { _ in editor.drafts.rename("a", to: "b") }
        editor.type("three", into: "a")
        editor.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty && $0.files.items["b"] == "three" }
      #expect(editor.read("a") == nil && editor.read("b") == "three")
    }
  }

  /// Another process has created a file with the new name, which is not reported yet.
  @Test func failedMoveChangesNothing() async throws {
    try await withEditor { editor in
      editor { editor in
        try? editor.files.folder.file("b").create(Array("theirs".utf8))
        editor.type("two", into: "a")
        editor.drafts.move("a", to: "b") { outcome in
          guard case .failure(.exists) = outcome else { return }
          editor.drafts.rename("b", to: "a")
        }
        editor.drafts.rename("a", to: "b")
        editor.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty && $0.files.items["a"] == "two" }
      #expect(editor.read("b") == "theirs" && editor { $0.saved } == ["a"])
    }
  }

  /// After a save and a rename without further edits, no draft is left.
  @Test func saveBeforeMoveLeavesNoDraft() async throws {
    try await withEditor { editor in
      editor {
        $0.type("two", into: "a")
        $0.drafts.save()
        $0.drafts.move("a", to: "b")
        $0.drafts.rename("a", to: "b")
      }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == nil && editor.read("b") == "two")
    }
  }

  // MARK: - Reentrancy

  @Test func draftExistsWhileItIsRenamed() async throws {
    try await withEditor { editor in
      typeUnsavable("two", editor)
      let seen = Monitor<[String]>([])
      editor { editor in
        editor.drafts.unsaved.observeNext { problems in
          let names = "\(problems.keys.map(\.text)) \(editor.drafts.all.map(\.name.text))"
          seen.withLock { $0.append(names) }
        }
        editor.drafts.rename("a", to: "b")
      }
      #expect(seen.withLock { $0 } == ["[\"a\"] [\"a\"]", "[\"b\"] [\"b\"]"])
    }
  }

  /// An observer that shows the draft, or else the item, always shows the current text.
  @Test func draftIsRemovedBeforeItemChanges() async throws {
    try await withEditor { editor in
      let seen = Monitor<[String]>([])
      editor { editor in
        editor.files.items.observe { [weak editor] change in
          let text = editor?.drafts["a"]?.text ?? "none"
          seen.withLock { $0.append("\(change.collection["a"] ?? "") \(text)") }
        }
        editor.type("two", into: "a")
        editor.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty && $0.files.items["a"] == "two" }
      #expect(seen.withLock { $0 } == ["one none", "two none"])
    }
  }

  /// The text is edited while observers are notified of its save.
  @Test func editInsideNotificationIsKept() async throws {
    try await withEditor { editor in
      editor { editor in
        editor.files.items.observe { [weak editor] change in
          guard let editor, change.collection["a"] == "two", editor.drafts["a"]?.text != "three"
          else { return }
          editor.type("three", into: "a")
        }
        editor.type("two", into: "a")
        editor.drafts.save()
      }
      editor.settle { $0.saved.count == 1 }
      #expect(editor { $0.drafts["a"]?.text } == "three")
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty && $0.files.items["a"] == "three" }
      #expect(editor.read("a") == "three" && editor { $0.saved } == ["a", "a"])
    }
  }

  /// Another process writes while there is a draft: the item does not change, and both texts are
  /// kept.
  @Test func conflictKeepsBothTexts() async throws {
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

  /// At most one save of a draft waits for the current one, however slow the disk is.
  @Test func savesOfDraftDoNotAccumulate() async throws {
    try await withEditor { editor in
      editor { editor in
        for count in 1...50 {
          editor.type("\(count)", into: "a")
          editor.drafts.save()
        }
      }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "50" && editor { $0.saved } == ["a", "a"])
    }
  }

  /// A failed save also cancels the waiting one. Both are repeated together.
  @Test func waitingSaveIsRepeatedWithFailedOne() async throws {
    try await withEditor { editor in
      editor { editor in
        editor.isFull.withLock { $0 = true }
        for text in ["two", "three"] {
          editor.type(text, into: "a")
          editor.drafts.save()
        }
      }
      editor.settle { $0.counts.failures == 1 }
      editor { editor in
        editor.isFull.withLock { $0 = false }
        editor.drafts.save()
      }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "three" && editor { $0.saved } == ["a"])
    }
  }
}
