import Foundation
import RunnelCollections
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// The texts of a folder, and what is typed into them.
private final class Editor {
  let files: FolderProperty<String>
  let drafts: Drafts<String>
  let isFull = Monitor(false)
  /// The names of files. Not with what outcome: a process that another test starts has all of them open
  /// for writing for a moment, which looks like somebody who is about to write.
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

@Suite(.timeLimit(.minutes(2))) struct DraftsTests {
  /// Types something that cannot be saved, for the disk is full.
  private func typeInVain(_ text: String, _ editor: OnLoop<Editor>) {
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
          try? writeFile("\(path)/a", "one")
          return Editor(path, on: loop)
        }
        defer { editor.close() }
        editor.settle { $0.files.items["a"] == "one" && $0.files.progress.value == nil }
        try body(editor)
      }
    }.get()
  }

  /// A text goes where it was read, and not where a link leads that appears before it is saved.
  @Test func draftDoesNotFollowALinkThatAppears() async throws {
    try await withEditor { editor in
      let (path, outside) = (editor.path, FileManager.default.temporaryDirectory)
      let secret = outside.appending(path: "runnel-\(UUID())").path()
      try writeFile(secret, "secret")
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
      // A link that the text was read through is followed, under another name too.
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
      #expect(editor { Set($0.saved) } == ["a", "b"])
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
      typeInVain("two", editor)
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
        let name = editor.drafts.putBack(draft)
        return name == "a" && editor.drafts["a"] === draft
      }
      #expect(isBack && editor.read("a") == "one")
      editor { $0.drafts.save() }
      editor.settle { $0.drafts.isEmpty }
      #expect(editor.read("a") == "two")
    }
  }

  /// There is another one of its name by now, and files have the first names for copies.
  @Test func whatIsPutBackTakesNoPlace() async throws {
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

  /// What is typed waits until it is known where the file is.
  @Test func whatIsMovedIsSavedToWhereItIs() async throws {
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

  /// Somebody else has made a file of the new name, which nobody knows of yet.
  @Test func whatCannotBeMovedTouchesNothing() async throws {
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

  /// A note that was saved and then renamed, with nothing typed since, is not left as if it was not.
  @Test func whatWasSavedBeforeItMovedIsSaved() async throws {
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

  // MARK: - Within what is told

  @Test func aDraftIsThereAllTheTimeItIsRenamed() async throws {
    try await withEditor { editor in
      typeInVain("two", editor)
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

  /// Whoever shows the text of a draft, or else of the item, shows what is in the file.
  @Test func theDraftIsGoneWhenTheItemIsThere() async throws {
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

  /// Somebody types in the moment in which the text before that turns out to be saved.
  @Test func whatIsTypedWhenItIsSavedStays() async throws {
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

  /// However slow the disk is, no more than one save of a draft waits behind the present one.
  @Test func savesOfADraftDoNotPileUp() async throws {
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

  /// A save that fails takes the waiting one with it: both are tried again together.
  @Test func aWaitingSaveIsTriedAgainWithAFailedOne() async throws {
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
