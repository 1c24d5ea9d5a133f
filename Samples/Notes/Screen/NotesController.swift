import Runnel
import RunnelDesk
import RunnelText

/// The controller that connects the search field, the list and the editor to the notes.
///
/// User input flows from a control through its delegate or delegate proxy into a stream. The stream
/// changes the model, and the model is bound to the controls.
@MainActor
final class NotesController {
  let folder: NoteFolder
  let screen = NotesScreen()
  private let application: Application
  private let query = Property(Query(""))
  /// The note shown in the editor.
  private var open: Note.ID?
  /// A renamed or restored note, to be selected when it appears in the list.
  private var pendingSelection: Note.ID?
  /// True while the app saves before it terminates.
  private var isTerminating = false
  /// The notes that match the query, in the order of the settings; and all notes, by title.
  private let shown: LiveCollection<[Note]>
  private let titles: LiveCollection<[Note]>
  private let rows: TableRows<Note>
  private let bag = DisposeBag()

  init(_ folder: NoteFolder, in application: Application) {
    self.folder = folder
    self.application = application
    shown = folder.notes
      .sorted(by: folder.settings.map { settings in { settings.areInOrder($0, $1) } })
      .filter(by: query.map { query in { $0.isFound(by: query) } })
    titles = folder.notes.sorted { $0.folded < $1.folded }
    rows = screen.table.rx.rows(shown) { [query] row, note in
      row["title"] = Self.cell((note.isPinned ? "• " : "") + note.title, query.value)
      row["line"] = Self.cell(String(note.firstLine), query.value, style: .faint)
      row["date"] = TableCell(note.problem == nil ? note.modified.shortDate : "", style: .faint)
    }
    application.keyBindings["alt+z"] = .undo
    screen.search.delegate = self
    bindTable()
    bindEditor()
    bindStatus()
    bindMenu()
  }

  private static func cell(
    _ text: String, _ query: Query, style: TableCell.Style = .text
  ) -> TableCell {
    TableCell(text, style: style, highlights: query.hits(in: text))
  }

  // MARK: - Search

  private func search(for text: String) {
    query.value = Query(text)
    screen.table.reloadRows(0..<screen.table.rowCount)
    screen.editor.needsDisplay()
    if text.isEmpty || !select(beginningWith: text) { screen.table.selectedRow = nil }
    moveCaretToFirstHit()
  }

  /// Selects the first note whose title begins with a text. Returns true if there is one. Both
  /// lists are sorted, so a binary search finds the note.
  private func select(beginningWith text: String) -> Bool {
    let typed = FoldedText(text.trimmed)
    let title = titles.firstIndex(from: { !($0.folded < typed) })
    guard title < titles.count, titles[title].folded.hasPrefix(typed) else { return false }
    let (note, settings) = (titles[title], folder.settings.value)
    let start = shown.firstIndex(from: { !settings.areInOrder($0, note) })
    let row = (start..<shown.count).first { shown[$0].id == note.id }
    screen.table.selectedRow = row
    return row != nil
  }

  /// Opens the selected note, or creates one. Typing selects a note only if its title begins with
  /// the typed text: text for a new note must not go into a note that merely contains the words.
  private func openOrCreate() {
    let title = screen.search.text.trimmed
    if rows.selectedItem.value != nil {
      screen.window.makeFirstResponder(screen.editor)
    } else if title.isEmpty {
      screen.status.show("Type a title, or select a note with the arrow keys.")
    } else {
      create(title)
    }
  }

  private func create(_ title: String) {
    let id = folder.create(title.trimmed)
    clearSearch()
    rows.select { $0.id == id }
    screen.window.makeFirstResponder(screen.editor)
  }

  private func clearSearch() {
    screen.search.text = ""
    search(for: "")
  }

  // MARK: - List

  private func bindTable() {
    let table = screen.table
    rows.selectedItem.observeNext(weak: self) { $0.show($1) }.disposed(by: bag)
    rows.activated.observeNext(weak: self) { controller, _ in
      controller.screen.window.makeFirstResponder(controller.screen.editor)
    }.disposed(by: bag)
    folder.settings.map { TableSort($0.sortKey.rawValue, isAscending: $0.isAscending) }
      .bind(to: table.rx.sort)
    table.rDelegate.stream(\.tableView_didSortBy).observeNext(weak: self) { controller, event in
      controller.sort(by: event.1)
    }.disposed(by: bag)
    table.rDelegate.answer(\.tableView_doCommand) { [weak self] _, command in
      self?.leave(by: command) ?? false
    }.disposed(by: bag)
  }

  private func sort(by sort: TableSort) {
    folder.settingsFile.mutate {
      $0.sortKey = Settings.SortKey(rawValue: sort.column) ?? .title
      $0.isAscending = sort.isAscending
    }
  }

  /// Returns the focus to the search field on Esc.
  private func leave(by command: Command) -> Bool {
    command == .cancel && screen.window.makeFirstResponder(screen.search)
  }

  // MARK: - Text

  /// Shows a note. The note that the user is editing stays open even if it no longer matches the
  /// query.
  private func show(_ note: Note?) {
    if note == nil && (pendingSelection != nil || screen.editor.isFirstResponder && open != nil) {
      return
    }
    if note?.id != open { switchEditor(to: note?.id) }
  }

  /// Updates the editor after the open note has changed, possibly in another program.
  private func refresh() {
    guard let id = open else { return selectPending() }
    guard let note = folder[id] else {
      // Another program deleted it. While it is being edited it stays open: the next edit creates
      // it again.
      if pendingSelection != id && !screen.editor.isFirstResponder { switchEditor(to: nil) }
      return
    }
    screen.editor.text = folder.text(of: id)
    screen.editor.isEditable = !note.isReadOnly
    showState()
    selectPending()
  }

  private func selectPending() {
    guard let id = pendingSelection, folder[id] != nil else { return }
    pendingSelection = nil
    let isOpen = id == open
    // The note that the user is editing stays open.
    if !isOpen && screen.editor.isFirstResponder { return }
    if rows.select(where: { $0.id == id }) || isOpen { return }
    clearSearch()
    rows.select { $0.id == id }
  }

  /// Selects a note whose deletion or rename was undone.
  private func reveal(_ undone: Undone) {
    pendingSelection = undone.note
    selectPending()
  }

  /// Keeps the open note open when it is renamed, by this app or another program.
  private func follow(_ rename: NoteRenamed) {
    guard open == rename.old else { return }
    open = rename.new
    pendingSelection = rename.new
  }

  /// Shows the save error of the open note, or else of another note, or else the state of the open
  /// note.
  private func showState() {
    let note = open.flatMap { folder[$0] }
    let problems = folder.saveProblems
    let problem = problems.first { $0.note != nil && $0.note == open } ?? problems.first
    let state = note.flatMap { $0.restriction ?? ($0.isPinned ? "pinned" : nil) }
    screen.status.text = problem.map { "Not saved: \($0)" } ?? state ?? ""
  }

  private func switchEditor(to id: Note.ID?) {
    folder.drafts.save()
    open = id
    pendingSelection = nil
    screen.editor.text = id.map(folder.text) ?? ""
    screen.editor.clearUndoHistory()
    screen.editor.isEditable = id != nil
    moveCaretToFirstHit()
    showState()
    refresh()
  }

  /// Moves the caret to the first match in the text, or else to the beginning.
  private func moveCaretToFirstHit() {
    let document = screen.editor.document
    let hits = (0..<(query.value.isEmpty ? 0 : document.lineCount)).lazy.compactMap {
      [query] number in
      let line = document[line: number]
      return query.value.hits(in: line).first.map {
        let offset = line.utf8.distance(from: line.startIndex, to: $0.lowerBound)
        return TextPosition(line: number, offset: offset)
      }
    }
    screen.editor.selection = TextSelection(caret: hits.first ?? .start)
  }

  private func bindEditor() {
    let editor = screen.editor
    folder.notes.observe { [weak self] _ in self?.refresh() }.disposed(by: bag)
    folder.bus.events(NoteRenamed.self).observeNext(weak: self) { $0.follow($1) }.disposed(by: bag)
    folder.bus.events(Undone.self).observeNext(weak: self) { $0.reveal($1) }.disposed(by: bag)
    editor.highlights = { [query] _, line in
      query.value.hits(in: line).map { TextHighlight($0) }
    }
    editor.rx.didChange.observeNext(weak: self) { controller, _ in
      if let id = controller.open { controller.folder.edit(id, controller.screen.editor.text) }
    }.disposed(by: bag)
    // Save when the user leaves the editor or the app.
    EventStream.merge(
      editor.rx.didEndEditing.stream,
      application.rDelegate.stream(\.applicationDidResignActive).map { _ in }
    ).observeNext(weak: self) { controller, _ in controller.folder.drafts.save() }.disposed(by: bag)
    editor.rDelegate.answer(\.textView_doCommand) { [weak self] _, command in
      self?.leave(by: command) ?? false
    }.disposed(by: bag)
  }

  // MARK: - Status

  private func bindStatus() {
    let (status, bus) = (screen.status, folder.bus)
    EventStream.combineLatest(
      shown.observed.count.stream, folder.notes.observed.count.stream
    )
    .map { shown, all in
      (shown == all ? "" : "\(shown) of ") + (all == 1 ? "1 note" : "\(all) notes")
    }
    .bind(to: status.rx.rightText)
    EventStream.merge(
      folder.drafts.unsaved.map { _ in }.stream, folder.settingsFile.problem.map { _ in }.stream,
      folder.settingsFile.failures.map { _ in }
    ).observeNext(weak: self) { controller, _ in controller.showState() }.disposed(by: bag)
    folder.progress.map { $0 == nil }.bind(to: screen.progress.rx.isHidden)
    folder.progress.bind(to: screen.progress.rx.fraction)
    EventStream.merge(
      bus.events(NoteSaved.self).map { "Saved \($0.id.stem)" },
      bus.events(NoteConflict.self).map {
        "\($0.id.stem) was changed elsewhere too. The other text is in \($0.copy.stem)."
      },
      bus.events(Undone.self).map { "\($0)" },
      folder.problems.map { "\($0)" }
    ).observeNext { [weak status] in status?.show($0) }.disposed(by: bag)
  }

  // MARK: - Menu

  private func bindMenu() {
    let menu = screen.menu
    on(menu.create) { $0.create($0.screen.search.text) }
    on(menu.rename) { $0.rename() }
    on(menu.pin) { controller in
      controller.withOpenNote { controller.folder.setPinned(!$0.isPinned, of: $0.id) }
    }
    on(menu.delete) { $0.withOpenNote($0.delete) }
    on(menu.undo) { $0.undo() }
    on(menu.quit) { $0.application.terminate() }
    application.rDelegate.answer(\.applicationShouldTerminate) { [weak self] _ in
      self?.mayTerminate() ?? true
    }.disposed(by: bag)
    on(menu.next) { _ = $0.screen.table.perform(.move(.down)) }
    on(menu.previous) { _ = $0.screen.table.perform(.move(.up)) }
    on(menu.byTitle) { $0.sort(by: TableSort("title")) }
    on(menu.byDate) { $0.sort(by: TableSort("date", isAscending: false)) }
    // Events decouple the menu from the place where the settings are stored.
    folder.bus.events(SettingsChanged.self).map(\.settings.sortKey).startWith(.date)
      .observeNext {
        menu.byTitle.isChecked = $0 == .title
        menu.byDate.isChecked = $0 == .date
      }.disposed(by: bag)
    for item in [menu.keys, menu.question] {
      on(item) { $0.ask(Alert("Keys", message: NotesMenu.help)) }
    }
  }

  /// Saves all changes before the app terminates. If that fails, an alert lets the user decide.
  /// Other errors remain visible in the status bar, and the app continues.
  private func mayTerminate() -> Bool {
    if folder.isSaved { return true }
    guard !isTerminating else { return false }
    isTerminating = true
    Task {
      var hasSucceeded = true
      let problems = folder.problems.observeNext { _ in hasSucceeded = false }
      await folder.flush()
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

  private func on(_ item: MenuItem, _ action: @escaping (NotesController) -> Void) {
    item.rx.activate.observeNext(weak: self) { controller, _ in action(controller) }
      .disposed(by: bag)
  }

  /// Performs an action on the open note. Usually it is the selected one, but an edited note may no
  /// longer match the query.
  private func withOpenNote(_ action: (Note) -> Void) {
    if let note = open.flatMap({ folder[$0] }) { action(note) }
  }

  private func ask(_ alert: Alert, then: @escaping (AlertButton) -> Void = { _ in }) {
    alert.ask(in: application).observe(succeeded: { $0.map(then) }).disposed(by: bag)
  }

  private func delete(_ note: Note) {
    let row = screen.table.selectedRow
    folder.delete(note.id)
    // Further typing must not go into the next note.
    if screen.editor.isFirstResponder {
      screen.window.makeFirstResponder(shown.isEmpty ? screen.search : screen.table)
    }
    switchEditor(to: nil)
    screen.table.selectedRow = row.map { min($0, shown.count - 1) }.flatMap { $0 < 0 ? nil : $0 }
    screen.status.show("\(note.title) is in the trash. Alt+Z brings it back.")
  }

  /// Undoes the last change of the open note if the editor has the focus; otherwise, the last
  /// rename or deletion.
  private func undo() {
    let (editor, status) = (screen.editor, screen.status)
    guard editor.isFirstResponder, let id = open else {
      if !folder.undo() { status.show("Nothing to undo.") }
      return
    }
    if folder.lastActionRenamed(id) {
      folder.undo(renameOf: id)
    } else if editor.perform(.undo) {
      status.show("Undid typing in \(id.stem).")
    } else if !folder.undo(renameOf: id) {
      status.show("Nothing to undo in \(id.stem).")
    }
  }

  private func rename() {
    withOpenNote { note in
      let field = TextField(note.title)
      let alert = Alert("Rename \(note.title)", buttons: [.cancel("Cancel"), .default("Rename")])
      alert.accessory = field
      // The alert stays open until the title is valid.
      alert.rDelegate.answer(\.alert_shouldCloseWith) { [weak self, weak field] alert, button in
        guard let self, let field, button.role == .default else { return true }
        return rename(note, to: field.text)
      }.disposed(by: bag)
      ask(alert)
    }
  }

  private func rename(_ note: Note, to title: String) -> Bool {
    do throws(TitleError) {
      try folder.rename(note.id, to: title)
      return true
    } catch {
      screen.status.show("\(error)")
      return false
    }
  }
}

extension NotesController: TextFieldDelegate {
  /// Lets the arrow keys move the selection in the list while the search field has the focus; Esc
  /// clears the field.
  func textField(_ field: TextField, doCommand command: Command) -> Bool {
    switch command {
    case .move(.up), .move(.down), .move(.pageUp), .move(.pageDown):
      return screen.table.perform(command)
    case .cancel:
      clearSearch()
      return true
    default:
      return false
    }
  }

  func textFieldDidChangeText(_ field: TextField) { search(for: field.text) }

  /// Returns the title of the selected note if it begins with the typed text.
  func textField(_ field: TextField, completionFor text: String) -> String? {
    guard let note = rows.selectedItem.value else { return nil }
    return note.folded.hasPrefix(FoldedText(text)) ? note.title : nil
  }

  func textFieldDidSubmit(_ field: TextField) { openOrCreate() }
}

extension String {
  /// The text without whitespace at its ends.
  fileprivate var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[first...(lastIndex { !$0.isWhitespace } ?? first)])
  }
}

extension LiveCollection<[Note]> {
  /// Returns the first index from which on a condition holds for all elements, or the count. Binary
  /// search.
  fileprivate func firstIndex(from holds: (Note) -> Bool) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = holds(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }
}
