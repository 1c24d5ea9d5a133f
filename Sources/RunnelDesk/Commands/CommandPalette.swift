import RunnelText

/// The content of a dialog in which the user searches and runs the commands of a menu bar.
@MainActor
final class CommandPalette: View {
  private weak var bar: MenuBar?
  private let field = TextField(placeholder: "Search commands")
  private let list: TableView
  private let cover = CommandListCover()
  private var search: CommandSearch
  /// The number of rows of the list, also while fewer commands match.
  private let rowCount: Int

  /// The largest number of columns, including the border, and of commands on the screen.
  private static let maximumWidth = 64, maximumRowCount = 12

  init(of bar: MenuBar) {
    self.bar = bar
    bar.notifyPalette(isOpen: true)
    let items = bar.allItems
    search = CommandSearch(items, recent: bar.recentCommands)
    rowCount = min(search.hits.count, Self.maximumRowCount)
    func width(_ widths: [Int], _ limit: Int) -> Int { min(widths.max() ?? 0, limit) }
    let menu = width(items.compactMap { $0.menu?.title.cellWidth }, 14)
    let key = width(items.compactMap { $0.keyEquivalent?.label.cellWidth }, 16)
    list = TableView(columns: [
      TableColumn("title", width: .flexible), TableColumn("menu", width: .fixed(menu)),
      TableColumn("key", width: .fixed(key), alignment: .trailing),
    ])
    super.init()
    list.showsHeader = false
    list.placeholder = "No command matches"
    list.dataSource = self
    field.delegate = self
    cover.palette = self
    for view in [field, list, cover] { addSubview(view) }
    show()
  }

  /// Shows the palette in a dialog. Returns false if there is no command.
  func present(in application: Application) -> Bool {
    guard !search.hits.isEmpty else {
      bar?.notifyPalette(isOpen: false)
      return false
    }
    let window = Window(title: "Commands", style: .dialog, content: self)
    window.delegate = self
    window.makeFirstResponder(field)
    application.show(window)
    return true
  }

  // MARK: - Hits

  private func show() {
    list.reloadData()
    list.selectedRow = search.hits.isEmpty ? nil : 0
    if !search.hits.isEmpty { list.scrollToRow(0) }
  }

  /// Closes the palette and activates the command in a row.
  fileprivate func run(row: Int?) {
    guard let row, search.hits.indices.contains(row) else { return }
    let item = search.hits[row].command.item
    window?.close()
    bar?.runFromPalette(item)
  }

  fileprivate func handle(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .press(.left), .drag(.left), .release(.left):
      guard case .row(let row) = list.part(at: event.position) else {
        return list.mouse(event, clicks: clicks)
      }
      if event.action == .release(.left) { run(row: row) } else { list.selectedRow = row }
      return true
    case .press, .drag, .release, .move, .wheel: return list.mouse(event, clicks: clicks)
    }
  }

  // MARK: - View

  override func keyDown(_ press: KeyPress) -> Bool {
    guard press == bar?.paletteKey else { return super.keyDown(press) }
    window?.close()
    return true
  }

  override func wantedExtent(in room: Size) -> Extent {
    Extent(width: min(Self.maximumWidth, room.width), height: 1 + rowCount)
  }

  override func layoutSubviews() {
    let (top, rest) = (min(bounds.height, 1), max(bounds.height - 1, 0))
    field.frame = Rect(x: 0, y: 0, width: bounds.width, height: top)
    list.frame = Rect(x: 0, y: top, width: bounds.width, height: rest)
    cover.frame = list.frame
  }
}

/// A transparent view over the list. It runs a command with one click and leaves the focus in the
/// search field.
@MainActor
private final class CommandListCover: View {
  weak var palette: CommandPalette?

  override func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    palette?.handle(event, clicks: clicks) ?? false
  }
}

extension CommandPalette: TextFieldDelegate {
  func textField(_ field: TextField, didChangeText edit: TextEdit) {
    search.find(field.text)
    show()
  }

  func textField(_ field: TextField, doCommand command: Command) -> Bool {
    switch command {
    case .move(.up), .move(.down), .move(.pageUp), .move(.pageDown): return list.perform(command)
    case .insertNewline: run(row: list.selectedRow)
    case .cancel: window?.close()
    case .move, .extend, .insertTab, .insertBacktab, .complete, .selectAll, .delete, .undo, .redo,
      .moveLinesUp, .moveLinesDown,
      .cut, .copy, .paste, .quit:
      return false
    }
    return true
  }
}

extension CommandPalette: TableViewDataSource {
  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
    search.hits.count
  }

  func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
    guard search.hits.indices.contains(row) else { return TableRow() }
    let hit = search.hits[row]
    let item = hit.command.item
    var cells: TableRow = ["title": TableCell(item.title)]
    cells["menu"] = TableCell(item.menu?.title ?? "", style: .faint)
    cells["key"] = TableCell(item.keyEquivalent?.label ?? "", style: .faint)
    let title = item.title
    let indices = Array(title.indices)
    // The title may have changed since the palette was opened.
    cells["title"].highlights = search.matchedPlaces(of: hit).filter(indices.indices.contains).map {
      indices[$0]..<title.index(after: indices[$0])
    }
    return cells
  }
}

extension CommandPalette: WindowDelegate {
  func windowWillClose(_ window: Window) { bar?.notifyPalette(isOpen: false) }
}

extension MenuBar {
  /// Opens the command palette. Returns false if there is no command, or the bar's window is not in
  /// front.
  @discardableResult
  public func openPalette() -> Bool {
    close()
    guard isEnabled, let window, window.isKey, let application = window.application else {
      return false
    }
    return CommandPalette(of: self).present(in: application)
  }
}
