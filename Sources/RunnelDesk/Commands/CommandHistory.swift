/// The commands of an app that can be undone and done again, such as deleting or renaming documents. A text has its
/// own history of typing: see ``TextSession``.
///
///     let history = CommandHistory<String>()
///     history.add("delete Milk")
///     history.undo { action in
///       print("undo:", action)
///       return true
///     }
///     history.redo { action in
///       print(action)
///       history.add(action)
///       return true
///     }
///
/// A command has one or more actions: those that are added in the closure of ``together(_:)``. They are undone
/// together, the last one first.
public final class CommandHistory<Action> {
  /// The command that an action belongs to.
  private enum Membership {
    /// A command of its own.
    case alone
    /// The first action of a command with several ones.
    case first
    /// Another action of the last command.
    case further
  }

  private var commands: [[Action]] = []
  private var undone: [[Action]] = []
  private let limit: Int
  private var membership = Membership.alone
  private var isRedoing = false

  /// True after a command, until the user undoes it or makes another change.
  public private(set) var isRecent = false

  /// True if a command can be done again: after an undo, until the user makes another change.
  public var canRedo: Bool { !undone.isEmpty }

  /// All actions that can be undone, in the order in which they were added.
  package var actions: [Action] { commands.flatMap(\.self) }

  /// Creates an empty history, which forgets the oldest commands beyond a limit.
  ///
  /// - Precondition: the limit is positive.
  public init(limit: Int = 100) {
    precondition(limit > 0, "A history of \(limit) commands is useless. Write at least 1.")
    self.limit = limit
  }

  // MARK: - Adding

  /// Adds an action that was performed. The commands that were undone cannot be done again then.
  public func add(_ action: Action) {
    if membership == .further {
      commands[commands.count - 1].append(action)
    } else {
      commands.append([action])
      commands.removeFirst(max(commands.count - limit, 0))
    }
    if membership == .first { membership = .further }
    isRecent = true
    if !isRedoing { undone = [] }
  }

  /// Performs a command with several actions.
  public func together(_ body: () -> Void) {
    if membership != .alone { return body() }
    membership = .first
    defer { membership = .alone }
    body()
  }

  /// Call this after a change that is undone elsewhere, such as typing.
  public func madeOtherChange() {
    isRecent = false
    undone = []
  }

  // MARK: - Undoing

  /// Undoes the last command with an action that can be undone, and returns false if there is none. The other actions
  /// of that command stay. `revert` is called for each action, and returns false if it has failed: such an action
  /// cannot be done again.
  @discardableResult
  public func undo(
    where canUndo: (Action) -> Bool = { _ in true }, _ revert: (Action) -> Bool
  ) -> Bool {
    precondition(membership == .alone, "A command cannot undo another one.")
    isRecent = false
    guard let index = commands.lastIndex(where: { $0.contains(where: canUndo) }) else {
      return false
    }
    let command = commands[index].filter(canUndo)
    commands[index].removeAll(where: canUndo)
    commands.removeAll(where: \.isEmpty)
    let reverted: [Action] = command.reversed().filter(revert).reversed()
    if !reverted.isEmpty { undone.append(reverted) }
    return true
  }

  /// Undoes the last command as ``undo(where:_:)`` does, but only if it is recent. Returns false if it is not, or if
  /// none of its actions can be undone.
  @discardableResult
  public func undoRecent(
    where canUndo: (Action) -> Bool = { _ in true }, _ revert: (Action) -> Bool
  ) -> Bool {
    guard isRecent, commands.last?.contains(where: canUndo) == true else { return false }
    return undo(where: canUndo, revert)
  }

  /// Adds an action whose undo has failed, as the oldest command. `isSame` finds the action among those that can be
  /// done again, if `revert` has not returned false for it.
  public func putBack(_ action: Action, replacing isSame: (Action) -> Bool = { _ in false }) {
    Self.remove(from: &undone, where: isSame)
    commands.insert([action], at: 0)
  }

  /// Performs the command again that was undone last. `perform` is called with each of its actions, adds it again, and
  /// returns false if it has failed. Returns false if nothing was done.
  @discardableResult
  public func redo(_ perform: (Action) -> Bool) -> Bool {
    guard let command = undone.popLast() else { return false }
    isRedoing = true
    defer { isRedoing = false }
    var isDone = false
    together {
      for action in command where perform(action) { isDone = true }
    }
    return isDone
  }

  // MARK: - Changing

  /// Changes all actions, for example because a document has another name now.
  public func update(_ change: (inout Action) -> Void) {
    for keyPath in [\CommandHistory.commands, \.undone] {
      self[keyPath: keyPath] = self[keyPath: keyPath].map { command in
        command.map { action in
          var action = action
          change(&action)
          return action
        }
      }
    }
  }

  /// Removes actions that were not performed after all.
  public func removeAll(where isRemoved: (Action) -> Bool) {
    let isLast = commands.last?.contains(where: isRemoved) == true
    Self.remove(from: &undone, where: isRemoved)
    for command in commands.indices { commands[command].removeAll(where: isRemoved) }
    if isLast && commands.last?.isEmpty == true {
      isRecent = false
      if membership == .further { membership = .first }
    }
    commands.removeAll(where: \.isEmpty)
  }

  private static func remove(from commands: inout [[Action]], where isRemoved: (Action) -> Bool) {
    for command in commands.indices { commands[command].removeAll(where: isRemoved) }
    commands.removeAll(where: \.isEmpty)
  }
}
