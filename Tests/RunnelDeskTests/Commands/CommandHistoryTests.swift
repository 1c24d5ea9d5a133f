import RunnelDesk
import Testing

@Suite struct CommandHistoryTests {
  private let history = CommandHistory<String>()
  private let log = Log()

  private final class Log { var lines: [String] = [] }

  private func undo(where canUndo: (String) -> Bool = { _ in true }) -> Bool {
    history.undo(where: canUndo) {
      log.lines.append("-" + $0)
      return !$0.hasPrefix("!")
    }
  }

  private func redo() -> Bool {
    history.redo {
      log.lines.append("+" + $0)
      if $0.hasPrefix("?") { return false }
      history.add($0)
      return true
    }
  }

  @Test func commandsAreUndoneAndDoneAgain() {
    history.add("a")
    history.together {
      history.add("b")
      history.together { history.add("c") }
    }
    #expect(history.isRecent && !history.canRedo && history.actions == ["a", "b", "c"])
    #expect(undo() && log.lines == ["-c", "-b"] && !history.isRecent && history.canRedo)
    #expect(undo() && !undo() && history.actions.isEmpty)
    #expect(redo() && redo() && !redo())
    #expect(log.lines == ["-c", "-b", "-a", "+a", "+b", "+c"])
    #expect(undo() && log.lines.suffix(2) == ["-c", "-b"] && history.actions == ["a"])
  }

  @Test func anotherChangeEndsRedo() {
    history.add("a")
    #expect(undo())
    history.madeOtherChange()
    #expect(!redo() && !history.canRedo)
    history.add("b")
    #expect(undo())
    history.add("c")
    #expect(!redo() && history.actions == ["c"] && history.isRecent)
    history.madeOtherChange()
    #expect(!history.isRecent && undo())
  }

  @Test func failedActionIsNotDoneAgain() {
    history.together { for action in ["a", "!b", "c"] { history.add(action) } }
    #expect(undo() && redo() && log.lines == ["-c", "-!b", "-a", "+a", "+c"])
    history.add("!d")
    #expect(undo() && !redo())
    history.putBack("!d")
    #expect(history.actions == ["!d", "a", "c"])
    // One that failed later, and one that cannot be done again.
    for action in ["e", "?f"] { history.add(action) }
    #expect(undo() && undo())
    history.putBack("e", replacing: { $0 == "e" })
    #expect(history.canRedo && !redo() && !history.canRedo)
    #expect(history.actions == ["e", "!d", "a", "c"])
  }

  @Test func onlyTheRecentCommandIsUndone() {
    history.add("a")
    history.add("b")
    #expect(!history.undoRecent(where: { $0 == "a" }, { _ in true }))
    #expect(history.undoRecent { $0 == "b" } && !history.undoRecent { _ in true })
    history.add("c")
    history.removeAll { $0 == "c" }
    #expect(!history.isRecent && !history.undoRecent { _ in true } && history.actions == ["a"])
  }

  @Test func undoneActionsAreChangedAndRemoved() {
    for action in ["a", "b"] { history.add(action) }
    #expect(undo() && undo())
    history.update { $0 += "!" }
    history.removeAll { $0 == "b!" }
    #expect(redo() && !redo() && history.actions == ["a!"])
  }

  @Test func lastCommandThatCanBeUndoneIsUndone() {
    history.together { for action in ["a", "x"] { history.add(action) } }
    history.add("b")
    #expect(undo { $0 == "a" } && log.lines == ["-a"])
    #expect(!undo { $0 == "a" } && history.actions == ["x", "b"])
  }

  @Test func oldCommandsAreForgotten() {
    let history = CommandHistory<Int>(limit: 2)
    for action in 1...3 { history.add(action) }
    history.together { for action in 4...9 { history.add(action) } }
    #expect(history.actions == Array(3...9))
  }

  @Test func actionsAreChangedAndRemoved() {
    for action in ["a", "b"] { history.add(action) }
    history.together {
      history.add("c")
      history.removeAll { $0 == "c" || $0 == "a" }
      history.add("d")
    }
    history.update { $0 += "!" }
    #expect(history.actions == ["b!", "d!"])
    #expect(undo() && log.lines == ["-d!"])
  }
}
