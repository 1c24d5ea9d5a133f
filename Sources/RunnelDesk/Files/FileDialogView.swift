import RunnelCollections
import RunnelStreams

/// The content view of the window of a ``FileDialog``.
@MainActor
final class FileDialogView: View {
  let dialog: FileDialog
  private let finish: (String?) -> Void
  var folder: FilePath
  /// All entries of the folder, in order.
  private var entries: [FileEntry] = []
  private let shown = CollectionProperty<[FileEntry]>()
  var chosenPath: String?
  /// The open question of the dialog.
  var question: Disposable?

  private let path = TextField()
  /// The folder in the field for the path, and the proposed file in the field for the name.
  private var shownFolder: ShownName?
  var shownName: ShownName?

  let table = TableView(columns: [
    TableColumn("name", title: "Name"),
    TableColumn("size", title: "Size", width: .fixed(9), alignment: .trailing),
  ])
  private let filter = TextField()
  let name = TextField()
  private let notice = Label()
  private let newFolder = Button("New folder")
  private let cancel = Button("Cancel")
  private let confirm: Button
  var rows: TableRows<FileEntry>?

  static let parent = FileEntry("..", isFolder: true)
  /// The largest size of the dialog. A wider list is hard to read.
  private static let largestSize = Size(width: 72, height: 20)

  init(_ dialog: FileDialog, finish: @escaping (String?) -> Void) {
    self.dialog = dialog
    self.finish = finish
    folder = FilePath(dialog.folder, home: dialog.listing.home)
    confirm = Button(dialog.purpose == .open ? "Open" : "Save")
    super.init()
    arrange()
    connect()
  }

  func present(_ window: Window, in application: Application) {
    window.delegate = self
    window.defaultButton = confirm
    window.cancelButton = cancel
    let message = dialog.message
    if !go(to: folder) { show() }
    // The program may have set a message for the user.
    dialog.message = [message, dialog.message].filter { !$0.isEmpty }.joined(separator: "\n")
    window.makeFirstResponder(isSaving ? name : table)
    application.show(window)
    // An application that has ended shows no window.
    guard window.application != nil else { return finish(nil) }
    name.selection = TextSelection(
      anchor: .start, head: TextPosition(line: 0, offset: name.text.nameStem.utf8.count))
  }

  func show(_ message: String) {
    notice.text = message
    notice.isHidden = message.isEmpty
  }

  var isSaving: Bool { dialog.purpose != .open }

  // MARK: - Layout

  private func arrange() {
    func labelled(_ title: String, _ field: TextField) -> View {
      let label = Label(title)
      label.width = 7
      field.accessibilityLabel = title
      let row = StackView(.horizontal, [label, field])
      row.height = 1
      return row
    }
    let nameRow = labelled("Name", name)
    if case .save(let proposed) = dialog.purpose {
      shownName = ShownName(proposed, in: name)
    } else {
      nameRow.isHidden = true
    }
    table.accessibilityLabel = "Files"
    table.placeholder = "No files"
    notice.wraps = true
    show(dialog.message)
    let buttons = StackView(.horizontal, spacing: .related, [newFolder, View(), cancel, confirm])
    buttons.height = 1
    addSubview(
      StackView(
        .vertical,
        [labelled("Folder", path), table, labelled("Filter", filter), nameRow, notice, buttons]))
  }

  override func wantedExtent(in room: Size) -> Extent {
    Extent(
      width: min(room.width, Self.largestSize.width),
      height: min(room.height, Self.largestSize.height))
  }

  // MARK: - Events

  private func connect() {
    rows = table.rx.rows(shown) { [weak self] row, entry in self?.configure(&row, entry) }
    rows?.activated.observeNext(weak: self) { view, entry in view.open(entry) }
    rows?.selectedItem.observeNext(weak: self) { view, entry in view.follow(entry) }
    table.rDelegate.answer(\.tableView_doCommand) { [weak self] _, command in
      guard command == .delete(.left), let self else { return false }
      goToParent()
      return true
    }
    path.editingBeginnings.observeNext(weak: self) { view, _ in
      // A typed path replaces the present one.
      view.path.selection = TextSelection(anchor: .start, head: view.path.document.end)
    }
    filter.rx.text.changed.observeNext(weak: self) { view, _ in view.filterEntries() }
    submit(path) { [weak self] in
      guard let self else { return }
      choose(typedPath(shownFolder?.name(in: path) ?? path.text))
    }
    submit(filter) { [weak self] in self?.confirmSelection() }
    submit(name) { [weak self] in self?.confirmSelection() }
    newFolder.rx.tap.observeNext(weak: self) { view, _ in view.askForFolder() }
    cancel.rx.tap.observeNext(weak: self) { view, _ in view.window?.close() }
    confirm.rx.tap.observeNext(weak: self) { view, _ in view.confirmSelection() }
  }

  /// Calls a closure when the user presses Return in a field. The arrow keys move the selection of
  /// the table.
  private func submit(_ field: TextField, _ action: @escaping () -> Void) {
    field.rDelegate.answer(\.textField_doCommand) { [weak self] _, command in
      switch command {
      case .insertNewline: action()
      case .move(.up), .move(.down), .move(.pageUp), .move(.pageDown):
        return self?.table.perform(command) ?? false
      default: return false
      }
      return true
    }
  }

  private func configure(_ row: inout TableRow, _ entry: FileEntry) {
    row["name"].text = entry.isFolder ? "\(entry.name)/" : entry.name
    guard !entry.isFolder, let size = dialog.listing.size(of: folder.appending(entry.name).text)
    else { return }
    row["size"] = TableCell(size.fileSize, style: .faint)
  }

  // MARK: - Folders

  func goToParent() {
    let former = folder.name
    if !folder.isRoot && go(to: folder.folder) { rows?.select { $0.name == former } }
  }

  /// Shows a folder. Shows the error instead if it cannot be listed. Returns true if it is shown.
  @discardableResult
  func go(to other: FilePath) -> Bool {
    dialog.message = ""
    do {
      let found = try dialog.listing.entries(of: other.text)
      entries = found.sorted { $0.order < $1.order }
    } catch {
      dialog.message = error.description
      return false
    }
    folder = other
    show()
    return true
  }

  /// Shows the folder with its entries.
  private func show() {
    dialog.folder = folder.text
    shownFolder = ShownName(folder.text, in: path)
    filter.text = ""
    table.selectedRow = nil
    filterEntries()
    table.selectedRow = shown.isEmpty ? nil : 0
  }

  private func filterEntries() {
    let wanted = filter.text.lowercased()
    let found = entries.filter { entry in
      (entry.isFolder || dialog.accepts(entry))
        && (wanted.hasPrefix(".") || !entry.name.hasPrefix("."))
        && (wanted.isEmpty || entry.name.lowercased().contains(wanted))
    }
    let isTop = folder.isRoot || !wanted.isEmpty
    shown.replace(with: isTop ? found : [Self.parent] + found)
    if table.selectedRow == nil && !shown.isEmpty { table.selectedRow = 0 }
  }

  private func askForFolder() {
    guard let application = window?.application else { return }
    let field = TextField()
    field.accessibilityLabel = "Name of the folder"
    let alert = Alert("New folder", message: "The name of the folder:")
    alert.accessory = field
    alert.buttons = [.cancel("Cancel"), .default("Create")]
    question = alert.ask(in: application).observe(succeeded: { [weak self] button in
      if button?.role == .default { self?.makeFolder(field.text) }
    })
  }

  private func makeFolder(_ name: String) {
    guard window != nil, !name.isEmpty else { return }
    // A folder cannot be created in place of the home folder.
    let target = name == "~" ? path(ofName: name) : typedPath(name)
    do {
      try dialog.listing.makeFolder(at: target.text)
    } catch {
      dialog.message = error.description
      return
    }
    if go(to: target.folder) { rows?.select { $0.name == target.name } }
  }
}

extension FileDialogView: WindowDelegate {
  func windowWillClose(_ window: Window) {
    question?.dispose()
    dialog.message = ""
    dialog.delegate?.fileDialog(dialog, didCloseWith: chosenPath)
    finish(chosenPath)
  }
}

extension FileEntry {
  /// The key by which entries are sorted: folders first, then by name regardless of case.
  fileprivate var order: (Int, String, String) { (isFolder ? 0 : 1, name.lowercased(), name) }
}

extension String {
  /// The name without its ending, which the user rarely replaces.
  fileprivate var nameStem: Substring {
    guard let dot = lastIndex(of: "."), dot > startIndex else { return self[...] }
    return self[..<dot]
  }
}

extension Int {
  /// The number of bytes in a unit that a person reads: "12 kB".
  fileprivate var fileSize: String {
    var value = self
    var units = ["B", "kB", "MB", "GB", "TB"][...]
    while value >= 1_000 && units.count > 1 {
      value /= 1_000
      units.removeFirst()
    }
    return "\(value) \(units.first ?? "")"
  }
}
