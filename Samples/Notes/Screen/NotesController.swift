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
  let application: Application
  let search: NoteSearch
  /// The note shown in the editor.
  private(set) var open: Note.ID? {
    didSet { screen.window.title = open.map { "\($0.stem) – Notes" } ?? "Notes" }
  }
  /// The carets, scroll offsets and undo histories of the notes that were edited last.
  private var sessions = TextSessions<Note.ID>()
  /// The searches of this run.
  private var history = InputHistory()
  /// True while the selected note is the one that typing has selected.
  private var isProposal = false
  /// The note that was open when the user began to search. Esc shows it again, unless the user has
  /// chosen another one.
  private var openBeforeSearch: Note.ID?
  /// A message that stays until the user opens another note or presses Esc.
  private var notice: String? {
    didSet {
      if notice != nil { screen.status.hideMessage() }
      showState()
    }
  }
  /// A renamed or restored note, to be selected when it appears in the list.
  private var pendingSelection: Note.ID?
  /// The note that was created without a title, until its first line is complete and becomes its title.
  private var untitled: Note.ID?
  /// The notes that were left by a link.
  var trail = Trail<Note.ID>()
  /// True while the app saves before it terminates.
  var isTerminating = false
  /// True while the user's editor is about to open a note, or has it open.
  var isLending = false
  /// The dictionary that checks the spelling, once it is loaded.
  let dictionary = Property<(any SpellChecker)?>(nil)
  /// Loads the dictionary; nil for none. Scripts have none, because they do not depend on the machine.
  var loadDictionary: (@MainActor () async -> (any SpellChecker)?)?
  let rows: TableRows<Note>
  /// The terminal around the app; nil in a window.
  var host: HostTerminal? = HostTerminal() { didSet { screen.menu.follow(host) } }
  let bag = DisposeBag()

  init(_ folder: NoteFolder, in application: Application) {
    self.folder = folder
    self.application = application
    let search = NoteSearch(folder)
    self.search = search
    rows = screen.table.rx.rows(search.found) { row, note in
      let query = search.query.value
      let title = folder.hasTwin(note.id) ? note.id.lastComponent.text : note.title
      row["title"] = Self.cell((note.isPinned ? "• " : "") + title, query)
      let path = note.id.folder.isEmpty ? "" : note.id.folder + "/ "
      row["line"] = Self.cell(path + note.firstLine, query, style: .faint)
      row["date"] = TableCell(
        note.problem == nil ? LocalTime(note.modified).short : "", style: .faint)
    }
    screen.menu.suspend.isEnabled = false
    bindSearch()
    bindTable()
    bindEditor()
    bindStatus()
    bindMenu()
    bindFind()
    bindPictures()
    bindLinks()
    bindTags()
    bindTemplates()
    bindSpelling()
    on(screen.menu.merge) { controller in controller.withOpenNote { controller.merge($0) } }
    bindMemory()
  }

  private static func cell(
    _ text: String, _ query: SearchQuery, style: TableCell.Style = .text
  ) -> TableCell {
    TableCell(text, style: style, highlights: query.hits(in: text))
  }

  // MARK: - Search

  /// Typing changes the text of the search. The list, the selection and the highlights follow it.
  ///
  /// The order matters: the search has observed its text first, so the list is filtered when the
  /// row is selected.
  private func bindSearch() {
    let (field, table) = (screen.search, screen.table)
    field.delegate = self
    field.rx.text.changed.bind(to: search.text)
    search.text.bind(to: field.rx.text)
    search.query.map { _ in }.bind(to: table.rx.reload)
    field.rx.text.changed.observeNext(weak: self) { controller, _ in
      controller.folder.history.madeOtherChange()
    }.disposed(by: bag)
    search.text.updates.observeNext(weak: self) { controller, _ in controller.propose() }
      .disposed(by: bag)
    field.rx.didBeginEditing.observeNext(weak: self) { controller, _ in
      controller.openBeforeSearch = controller.open
      field.selectAll()
    }.disposed(by: bag)
    field.rx.didEndEditing.observeNext(weak: self) { controller, _ in controller.keepSearch() }
      .disposed(by: bag)
    field.rx.submit.observeNext(weak: self) { controller, _ in controller.openOrCreate() }
      .disposed(by: bag)
  }

  /// Selects the first note whose title begins with the text of the search.
  private func propose() {
    let note = search.proposed
    screen.table.selectedRow = note.flatMap(search.row)
    if note == nil { screen.table.scrollPosition = 0 }
    isProposal = note != nil
    // The user works at another place of the text.
    if !screen.editor.isFirstResponder { showFirstHit() }
  }

  /// Moves the selection in the list, which accepts a proposed note.
  @discardableResult
  func moveInList(_ movement: Movement) -> Bool {
    isProposal = false
    screen.status.hideMessage()
    screen.search.complete()
    return screen.table.perform(.move(movement))
  }

  func keepSearch() { history.add(search.text.value.trimmed) }

  /// Shows an earlier or later search.
  func showSearch(_ step: Int) {
    screen.window.makeFirstResponder(screen.search)
    guard let text = history.move(step) else { return screen.status.show("No more searches.") }
    search.text.value = text
    screen.search.selectAll()
  }

  /// Opens the note that the user has selected or whose title was typed, or else creates one: text for
  /// a new note must not go into one whose title merely begins with the typed words.
  private func openOrCreate() {
    let title = search.text.value.trimmed
    let isTyped = rows.selectedItem.value.map { FoldedText($0.title) == FoldedText(title) } ?? false
    if rows.selectedItem.value != nil && !isProposal || isTyped {
      screen.window.makeFirstResponder(screen.editor)
    } else if title.isEmpty {
      screen.status.show("Type a title, or select a note with the arrow keys.")
    } else if !search.query.value.hasOnlyWords {
      screen.status.show("No note is found. Type a title to create one.")
    } else if let note = folder.note(titled: title) {
      show(note.id)
    } else {
      create(title)
    }
  }

  func create(_ title: String, from template: Note? = nil) {
    nameUntitled()
    screen.status.hideMessage()
    let id = folder.create(title.trimmed, from: template)
    sessions[id] = nil
    search.text.value = ""
    rows.select { $0.id == id }
    untitled = title.trimmed.isEmpty ? id : nil
    screen.editor.selection = TextSelection(caret: screen.editor.document.end)
    screen.window.makeFirstResponder(screen.editor)
  }

  /// Names a note that was created without a title after its first line that is not blank. While the user types,
  /// the line of the caret is not used.
  func nameUntitled(isTyping: Bool = false) {
    guard let id = untitled else { return }
    let document = folder.document(of: id)
    let first = (0..<document.lineCount).first { !document[line: $0].trimmed.isEmpty }
    guard let first, !isTyping || first != screen.editor.selection.head.line else { return }
    untitled = nil
    folder.name(id, after: document[line: first])
  }

  /// Discards a note without a title that has stayed empty.
  func discardUntitled() {
    guard let id = untitled, folder[id]?.problem == nil, folder.text(of: id).isEmpty else { return }
    untitled = nil
    folder.discard(id)
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
      controller.sortByHeader(event.1)
    }.disposed(by: bag)
    table.rDelegate.answer(\.tableView_doCommand) { [weak self] _, command in
      if command == .delete(.right) { self?.askToDelete() }
      // Only the text completes.
      return [.delete(.right), .complete].contains(command) || self?.leave(by: command) ?? false
    }.disposed(by: bag)
    // Letters that are typed in the list begin a search.
    table.rDelegate.answer(\.tableView_insert) { [weak screen] _, text in
      guard let screen else { return false }
      return screen.window.makeFirstResponder(screen.search) && screen.search.insert(text)
    }.disposed(by: bag)
  }

  /// Sorts as the header requests. The first click on "Changed" shows the newest notes first.
  private func sortByHeader(_ sort: TableSort) {
    let isFirst = sort.column == "date" && folder.settings.value.sortKey != .date
    self.sort(by: isFirst ? TableSort("date", isAscending: false) : sort)
  }

  func sort(by sort: TableSort) {
    folder.settingsFile.mutate {
      $0.sortKey = Settings.SortKey(rawValue: sort.column) ?? .title
      $0.isAscending = sort.isAscending
    }
  }

  /// Returns the focus to the search field on Esc.
  private func leave(by command: Command) -> Bool {
    guard command == .cancel else { return false }
    notice = nil
    return screen.find.close() || screen.window.makeFirstResponder(screen.search)
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
  func refresh() {
    guard let id = open else { return selectPending() }
    guard let note = folder[id] else {
      if pendingSelection == id { return }
      // While it is being edited it stays open.
      if !screen.editor.isFirstResponder { return switchEditor(to: nil) }
      return notice = "\(id.stem) was deleted elsewhere. Typing brings it back."
    }
    if !folder.isDocument(screen.editor.document, of: id) {
      // An unsaved text is one that a command of this app has changed.
      if folder.drafts[id] == nil { notice = "\(id.stem) was changed elsewhere." }
      screen.editor.update(to: folder.document(of: id))
    }
    screen.editor.isEditable = !note.isReadOnly
    showState()
    selectPending()
  }

  private func selectPending() {
    guard let id = pendingSelection, folder[id] != nil else { return }
    pendingSelection = nil
    // The note that the user is editing stays open.
    if id != open && screen.editor.isFirstResponder { return }
    if rows.select(where: { $0.id == id }) || id == open { return }
    search.text.value = ""
    rows.select { $0.id == id }
  }

  /// Shows a note instead of the open one, as soon as it has been read. Does nothing if there is none.
  func reveal(_ note: Note.ID) {
    if folder[note] == nil { folder.files.reload(note) }
    screen.window.makeFirstResponder(screen.search)
    pendingSelection = note
    selectPending()
    folder.files.idle().observe { [weak self] in self?.endRevealing(note) }
  }

  private func endRevealing(_ note: Note.ID) {
    if pendingSelection == note && folder[note] == nil {
      pendingSelection = nil
      refresh()
    }
    if open == note { screen.window.makeFirstResponder(screen.editor) }
  }

  /// Selects a note whose deletion or rename was undone.
  private func reveal(_ undone: Undone) {
    pendingSelection = undone.note
    // Undoing a rename may have changed a link in the open note.
    refresh()
    selectPending()
  }

  /// Keeps the open note open when it is renamed, by this app or another program.
  private func follow(_ rename: NoteRenamed) {
    sessions.rename(rename.old, to: rename.new)
    trail.replace(rename.old, with: rename.new)
    if open == rename.old { (open, pendingSelection) = (rename.new, rename.new) }
  }

  /// Shows the save error of the open note, or else of another note, or else the state of the open
  /// note.
  private func showState() {
    let note = open.flatMap { folder[$0] }
    let problems = folder.saveProblems
    let problem = problems.first { $0.note != nil && $0.note == open } ?? problems.first
    let state = note.flatMap { $0.restriction ?? ($0.isPinned ? "pinned" : nil) }
    let news = notice.map { "\($0) \(note?.restriction ?? "")".trimmed } ?? state
    let hints = "F1 keys, " + (application.quitHint ?? "")
    screen.status.text = problem.map { "Not saved: \($0)" } ?? news ?? hints
  }

  func switchEditor(to id: Note.ID?) {
    folder.drafts.save()
    screen.find.close()
    let editor = screen.editor
    if editor.isFirstResponder { keepSession() }
    open = id
    pendingSelection = nil
    // The list does not select a note again that is no longer open.
    nameUntitled()
    discardUntitled()
    let document = id.map(folder.document) ?? TextDocument()
    editor.session = id.flatMap { sessions[$0] } ?? TextSession(document)
    // A key must not replace what was selected long ago.
    editor.selection = TextSelection(caret: editor.selection.head)
    // The text may have changed since the session was kept.
    editor.update(to: document)
    editor.isEditable = id != nil
    if id.flatMap({ folder[$0] })?.restriction != nil { screen.status.hideMessage() }
    screen.show(isOpen: id != nil)
    if id != nil { startSpelling() }
    notice = nil
    showFirstHit()
    refresh()
  }

  private func keepSession() {
    if let open { sessions[open] = screen.editor.session }
  }

  /// Scrolls to the first hit of the search, some lines below the top. The caret stays where the user
  /// left it.
  private func showFirstHit() {
    let (editor, query) = (screen.editor, search.query.value)
    if query.isEmpty { return }
    guard let hit = editor.document.match(after: .start, orAt: true, in: { query.hits(in: $0) })
    else { return }
    editor.top = TextPosition(line: max(0, hit.line - 3), offset: 0)
  }

  private func bindEditor() {
    let editor = screen.editor
    folder.notes.observe { [weak self] _ in
      // Another note may have got a twin, or lost it.
      self?.screen.table.reloadData()
      self?.refresh()
    }.disposed(by: bag)
    folder.bus.events(NoteRenamed.self).observeNext(weak: self) { $0.follow($1) }.disposed(by: bag)
    folder.bus.events(Undone.self).observeNext(weak: self) { $0.reveal($1) }.disposed(by: bag)
    editor.rx.edits.observeNext(weak: self) {
      if let id = $0.open {
        // A note that was deleted elsewhere is back, and so is its row.
        if $0.folder[id] == nil { ($0.notice, $0.pendingSelection) = (nil, id) }
        $0.folder.edit(id, editor.document, isUndo: $1.origin == .undo)
      }
      $0.nameUntitled(isTyping: true)
    }.disposed(by: bag)
    editor.rx.didEndEditing.observeNext(weak: self) { controller, _ in
      controller.nameUntitled()
      controller.keepSession()
    }.disposed(by: bag)
    // Save when the user leaves the editor or the app.
    EventStream.merge(
      editor.rx.didEndEditing.stream,
      application.rDelegate.stream(\.applicationDidResignActive).map { _ in }
    ).observeNext(weak: self) { controller, _ in controller.folder.drafts.save() }.disposed(by: bag)
    editor.rDelegate.answer(\.textView_shouldChangeTextIn_with) { [weak status = screen.status] in
      let count = $0.document.utf8Count + $2.utf8.count
      let fits = count <= Note.longest || count - $0.document[$1].utf8.count <= Note.longest
      if !fits { status?.show("A note has at most 10 MB.") }
      return fits
    }.disposed(by: bag)
    editor.rDelegate.answer(\.textView_didPressAt_with) { [weak self] editor, position, keys in
      keys.contains(.control)
        ? self?.openLink(at: position) == true : editor.toggleTask(at: position)
    }.disposed(by: bag)
    editor.rDelegate.answer(\.textView_doCommand) { [weak self] _, command in
      guard let self else { return false }
      if command == .complete { return complete() }
      return screen.editor.performInList(command) || leave(by: command)
    }.disposed(by: bag)
  }

  // MARK: - Status

  private func bindStatus() {
    let (status, bus) = (screen.status, folder.bus)
    EventStream.combineLatest(
      search.found.observed.count.stream, folder.notes.observed.count.stream
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
      bus.events(NoteSaved.self).filter { [weak self] _ in self?.notice == nil }
        .filter { _ in status.message?.hasPrefix("Saved") != false }
        .map { "Saved " + $0.id.stem.firstWords(upTo: 60) },
      bus.events(Undone.self).map(\.message),
      folder.problems.map { "\($0)" }
    ).observeNext { [weak status] in status?.show($0) }.disposed(by: bag)
    bus.events(NoteConflict.self).observeNext(weak: self) {
      $0.notice = "See \($1.copy.stem): another program changed \($1.id.stem) too."
    }.disposed(by: bag)
  }
}

extension NotesController: TextFieldDelegate {
  /// Lets the arrow keys move the selection in the list while the search field has the focus; Esc
  /// clears the field.
  func textField(_ field: TextField, doCommand command: Command) -> Bool {
    switch command {
    case .move(let movement) where [.up, .down, .pageUp, .pageDown].contains(movement):
      return moveInList(movement)
    case .cancel:
      notice = nil
      keepSearch()
      let chosen = isProposal ? openBeforeSearch : open ?? openBeforeSearch
      search.text.value = ""
      rows.select { $0.id == chosen }
      return true
    default:
      return false
    }
  }

  /// Returns the title of the proposed note.
  func textField(_ field: TextField, completionFor text: String) -> String? {
    guard isProposal, let note = rows.selectedItem.value else { return nil }
    return note.foldedTitle.hasPrefix(FoldedText(text)) ? note.title : nil
  }
}
