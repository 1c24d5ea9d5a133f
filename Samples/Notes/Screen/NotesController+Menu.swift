import Runnel
import RunnelDesk

// The commands of the menus, and the questions that they ask.
extension NotesController {
  func bindMenu() {
    let menu = screen.menu
    on(menu.create) { controller in
      let isTitle = controller.screen.search.isFirstResponder
      let hasOnlyWords = controller.search.query.value.hasOnlyWords
      controller.create(isTitle && hasOnlyWords ? controller.search.text.value : "")
    }
    on(menu.rename) { $0.rename() }
    on(menu.move) { $0.askForFolder() }
    on(menu.checkTask) { $0.screen.editor.toggleTasks() }
    on(menu.pin) { $0.togglePin() }
    on(menu.delete) { $0.askToDelete() }
    on(menu.undo) { $0.undo() }
    on(menu.redo) { $0.redo() }
    on(menu.external) { $0.editExternally() }
    on(menu.suspend) { controller in
      controller.lendTerminal { controller.host?.suspend?() }
    }
    on(menu.quit) { $0.application.terminate() }
    application.rDelegate.answer(\.applicationShouldTerminate) { [weak self] _ in
      self?.mayTerminate() ?? true
    }.disposed(by: bag)
    on(menu.next) { $0.moveInList(.down) }
    on(menu.previous) { $0.moveInList(.up) }
    on(menu.search) { $0.screen.window.makeFirstResponder($0.screen.search) }
    on(menu.earlier) { $0.showSearch(-1) }
    on(menu.later) { $0.showSearch(1) }
    on(menu.byTitle) { $0.sort(by: TableSort("title")) }
    on(menu.byDate) { $0.sort(by: TableSort("date", isAscending: false)) }
    folder.settings.map(\.sortKey).observeNext {
      menu.byTitle.isChecked = $0 == .title
      menu.byDate.isChecked = $0 == .date
    }.disposed(by: bag)
    on(menu.keys) { if $0.host != nil || !$0.screen.window.showShortcuts() { $0.showKeys() } }
    on(menu.hints) { $0.showKeys() }
    on(menu.font) { $0.screen.window.chooseFont() }
    folder.settings.map(\.controlZSuspends).observeNext { menu.assignControlZ(suspends: $0) }
      .disposed(by: bag)
  }

  /// Saves all changes before the app terminates. If that fails, an alert lets the user decide.
  /// Other errors remain visible in the status bar, and the app continues.
  private func mayTerminate() -> Bool {
    nameUntitled()
    discardUntitled()
    if folder.isSaved { return true }
    guard !isTerminating else { return false }
    isTerminating = true
    Task {
      var hasSucceeded = true
      let problems = folder.problems.observeNext { _ in hasSucceeded = false }
      await folder.flush()
      // A deletion that failed has put the text of its note back.
      if !folder.unsavedFiles.isEmpty { await folder.flush() }
      problems.dispose()
      guard let unsaved = folder.saveProblems.first else {
        isTerminating = false
        if hasSucceeded { application.terminate() }
        return
      }
      let alert = Alert(
        "Not all is saved",
        message:
          "\(unsaved) If you quit, the text is put into another folder, and its path is printed.",
        buttons: [.cancel("Stay"), .destructive("Quit")])
      alert.ask(in: application).observe(succeeded: { [weak self] button in
        self?.isTerminating = false
        if button?.role == .destructive { self?.application.end() }
      }).disposed(by: bag)
    }
    return false
  }

  func on(_ item: MenuItem, _ action: @escaping (NotesController) -> Void) {
    item.rx.activate.observeNext(weak: self) { controller, _ in action(controller) }
      .disposed(by: bag)
  }

  /// Performs an action on the open note.
  func withOpenNote(_ action: (Note) -> Void) {
    if let note = open.flatMap({ folder[$0] }) { action(note) } else { askForNote() }
  }

  func askForNote() { screen.status.show("Select a note first, with the arrow keys.") }

  private func showKeys() {
    let lines = String(decoding: PackageResources.Keys_txt, as: UTF8.self).split(separator: "\n")
    let shown = lines.filter { host != nil || !$0.contains("$EDITOR") }
    ask(Alert(host == nil ? "Hints" : "Keys", page: shown.joined(separator: "\n")))
  }

  func ask(_ alert: Alert, then: @escaping (AlertButton) -> Void = { _ in }) {
    alert.ask(in: application).observe(succeeded: { $0.map(then) }).disposed(by: bag)
  }

  func ask(_ title: String, _ control: View, button: String, accept: @escaping () -> String?) {
    ask(Alert(title, asking: control, button: button, accept: accept))
  }

  /// The key that undoes, for messages.
  private var undoKey: String { screen.menu.undo.keyEquivalent?.label ?? "" }

  /// The notes that a command acts on: those selected in the list, or the open one. Usually that is
  /// selected too, but an edited note may no longer match the query.
  var chosen: [Note] {
    let selected = screen.editor.isFirstResponder ? [] : rows.selectedItems.value
    return selected.count > 1 ? selected : open.flatMap { folder[$0] }.map { [$0] } ?? []
  }

  /// Pins the chosen notes, or unpins them if all are pinned.
  private func togglePin() {
    let notes = chosen
    if notes.isEmpty { return askForNote() }
    let isPinned = !notes.allSatisfy(\.isPinned)
    for note in notes { folder.setPinned(isPinned, of: note.id) }
  }

  /// Deletes one note from the list at once, because undoing is offered. A key that is pressed while
  /// the user types may be a mistake.
  func askToDelete() {
    let notes = chosen
    guard let first = notes.first else { return askForNote() }
    if notes.count == 1 && screen.table.isFirstResponder { return delete(notes, first.title) }
    let (what, pronoun) =
      notes.count == 1 ? (first.title, "It goes") : ("\(notes.count) notes", "They go")
    let alert = Alert(
      "Delete \(what)?", message: "\(pronoun) to the trash. \(undoKey) undoes it.",
      buttons: [.cancel("Keep"), .destructive("Delete")])
    ask(alert) { [weak self] button in
      if button.role == .destructive { self?.delete(notes, what) }
    }
  }

  private func delete(_ notes: [Note], _ what: String) {
    let row = screen.table.selectedRows.ranges.first?.lowerBound
    folder.history.together {
      for note in notes { folder.delete(note.id) }
    }
    closeDeleted()
    let last = search.found.count - 1
    screen.table.selectedRow = last < 0 ? nil : row.map { min($0, last) }
    screen.status.show("\(undoKey) brings \(what) back from the trash.", for: .seconds(10))
  }

  /// Undoes the last command if nothing was typed since. Otherwise undoes the last change of the open
  /// note if the editor has the focus, or else the last command.
  private func undo() {
    let (editor, status) = (screen.editor, screen.status)
    if isInFindBar { return performByView(.undo, "undo") }
    if folder.undoRecent() { return }
    guard editor.isFirstResponder, let id = open else {
      return folder.undo() ? () : status.show("Nothing to undo.")
    }
    if editor.perform(.undo) {
      status.show("Undid the last change of \(id.stem).")
    } else if !folder.undo(in: id) {
      status.show("Nothing to undo in \(id.stem). In the list, \(undoKey) undoes commands.")
    }
  }

  /// Lets the view with the focus undo or redo.
  private func performByView(_ command: Command, _ name: String) {
    if !screen.window.tryToPerform(command) { screen.status.show("Nothing to \(name).") }
  }

  /// True if undo and redo are for a replacement, or for the typing in the fields of the bar.
  private var isInFindBar: Bool { screen.window.firstResponder.map(screen.find.contains) == true }

  /// Performs the command again that was undone last, or else typing.
  private func redo() {
    if isInFindBar || !folder.history.canRedo { return performByView(.redo, "redo") }
    // A note that is to be deleted again may not be back yet.
    folder.files.idle().observe { [weak self] in
      guard let self, folder.redo() else { return }
      if let open, folder[open] == nil { closeDeleted() }
      screen.status.show("Done again. \(undoKey) undoes it.")
    }.disposed(by: bag)
  }

  /// Closes a deleted note. Further keys must not change or delete the next one.
  private func closeDeleted() {
    if screen.editor.isFirstResponder { screen.window.makeFirstResponder(screen.search) }
    switchEditor(to: nil)
  }

  /// Saves all changes, and then lets another program use the terminal.
  private func lendTerminal(_ action: @escaping () async -> Void) {
    if isLending { return }
    isLending = true
    Task {
      defer { isLending = false }
      await folder.flush()
      await action()
    }
  }

  /// Opens the note in the user's editor, and reads it again afterwards.
  private func editExternally() {
    withOpenNote { note in
      lendTerminal { [self] in
        if let problem = folder.saveProblems.first {
          return screen.status.show("Not opened, because it is not saved: \(problem)")
        }
        do {
          guard let status = try await host?.run(.edit(folder.files.folder.file(note.id).path))
          else { return }
          folder.files.reload(note.id)
          await folder.flush()
          screen.status.show(ShellCommand.editorProblem(status) ?? "Edited \(note.title)")
        } catch {
          screen.status.show("\(error)")
        }
      }
    }
  }

  private func rename() {
    withOpenNote { note in
      let field = TextField(note.title)
      ask("Rename \(note.title)", field, button: "Rename") { [weak self] in
        self?.rename(note, to: field.text)
      }
    }
  }

  /// Moves the chosen notes to a folder: one that exists, or a new one.
  private func askForFolder() {
    var notes = chosen
    if notes.isEmpty { return askForNote() }
    let what = notes.count == 1 ? notes[0].title : "\(notes.count) notes"
    let present = notes.count == 1 ? notes[0].id.folder : ""
    let box = ComboBox(
      present, choices: folder.subfolders, placeholder: "Empty for the folder of all notes")
    ask("Move \(what) to a folder", box, button: "Move") { [weak self] in
      guard let self else { return nil }
      var (problem, isMoved) = (nil as String?, false)
      // A note that cannot be moved stays, to be moved to another folder.
      folder.history.together {
        notes.removeAll { note in
          do { isMoved = try self.folder.move(note.id, toFolder: box.text) || isMoved } catch {
            problem = "\(error)"
            return false
          }
          return true
        }
      }
      if isMoved && problem == nil { screen.status.show("Moved \(what). \(undoKey) undoes it.") }
      return problem
    }
  }

  private func rename(_ note: Note, to title: String) -> String? {
    do {
      let new = try folder.rename(note.id, to: title)
      // It may contain a link that was changed.
      refresh()
      screen.status.show("Renamed \(note.title) to \(new.lastComponent.stem).")
    } catch { return "\(error)" }
    return nil
  }
}
