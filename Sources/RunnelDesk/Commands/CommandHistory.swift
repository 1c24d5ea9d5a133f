/// The commands of an app that can be undone and done again, such as deleting or renaming documents. A text has its
/// own history of typing: see ``TextSession``.
///
///     let history = CommandHistory<Renaming>()
///     history.add(Renaming(from: "Milk", to: "Tea"))
///     history.undo { renaming in rename(renaming.to, renaming.from) }
///     history.redo { renaming in rename(renaming.from, renaming.to) }
///
/// A command has one or more actions: those that are added in the closure of ``together(_:)``. They are undone
/// together, the last one first.
public final class CommandHistory<Action> {
  private var commands: [[Action]] = []
  private var undone: [[Action]] = []
  private let limit: Int
  /// True while the actions belong to one command.
  private var isTogether = false
  /// True if the command that is performed has an action.
  private var hasBegun = false

  /// True after a command, until the user undoes it or makes another change.
  public private(set) var isRecent = false

  /// True if a command can be done again: after ``undo(where:_:)``, until the user makes another change.
  public var canRedo: Bool { !undone.isEmpty }

  /// All actions that can be undone, in the order in which they were added.
  public var actions: [Action] { commands.flatMap(\.self) }

  /// Creates an empty history, which forgets the oldest commands beyond a limit.
  public init(limit: Int = 100) { self.limit = limit }

  // MARK: - Adding

  /// Adds an action that was performed. The commands that were undone cannot be done again then.
  public func add(_ action: Action) {
    if hasBegun {
      commands[commands.count - 1].append(action)
    } else {
      commands.append([action])
      commands.removeFirst(max(commands.count - limit, 0))
    }
    hasBegun = isTogether
    isRecent = true
    undone = []
  }

  /// Performs a command with several actions.
  public func together(_ body: () -> Void) {
    if isTogether { return body() }
    isTogether = true
    defer { (isTogether, hasBegun) = (false, false) }
    body()
  }

  /// Call this after a change that is undone elsewhere, such as typing.
  public func madeOtherChange() {
    isRecent = false
    undone = []
  }

  // MARK: - Undoing

  /// Undoes the last command with an action that can be undone. `revert` is called with each of its actions, and
  /// returns false if it has failed: such an action cannot be done again. Returns false if there is no such command.
  @discardableResult
  public func undo(where canUndo: (Action) -> Bool = { _ in true }, _ revert: (Action) -> Bool)
    -> Bool
  {
    isRecent = false
    guard let index = commands.lastIndex(where: { $0.contains(where: canUndo) }) else {
      return false
    }
    let command = commands.remove(at: index)
    let reverted: [Action] = command.reversed().filter(revert).reversed()
    if !reverted.isEmpty { undone.append(reverted) }
    return true
  }

  /// Puts an action back that was not undone after all. It is undone after all others.
  public func putBack(_ action: Action) { commands.insert([action], at: 0) }

  /// Performs the last command that was undone once more. `perform` is called with each of its actions, and adds it
  /// again. Returns false if there is none.
  @discardableResult
  public func redo(_ perform: (Action) -> Void) -> Bool {
    guard let command = undone.popLast() else { return false }
    let others = undone
    together {
      for action in command { perform(action) }
    }
    undone = others
    return true
  }

  // MARK: - Changing

  /// Changes the actions that can be undone, for example because a document has another name now.
  public func update(_ change: (inout Action) -> Void) {
    for command in commands.indices {
      for action in commands[command].indices { change(&commands[command][action]) }
    }
  }

  /// Removes actions that were not performed after all.
  public func removeAll(where isRemoved: (Action) -> Bool) {
    for command in commands.indices { commands[command].removeAll(where: isRemoved) }
    hasBegun = hasBegun && commands.last?.isEmpty == false
    commands.removeAll(where: \.isEmpty)
  }
}
