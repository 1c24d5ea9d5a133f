#if GTK
import Runnel
import RunnelDesk

/// Every control, in groups that fit into a window of 60 columns and 16 rows.
@MainActor
enum ControlSamples {
  static func fields() -> View {
    let (invalid, disabled) = (TextField("12.5.26"), TextField("locked"))
    invalid.validationMessage = "This is no date."
    disabled.isEnabled = false
    return StackView(
      .vertical,
      [
        Label("Name:"), TextField("Ada"), TextField(placeholder: "Search"),
        TextField("secret", isSecure: true), invalid, disabled,
      ])
  }

  static func buttons() -> View {
    let (delete, later) = (Button("Delete"), Button("Later"))
    delete.isDestructive = true
    later.isEnabled = false
    later.toolTip = "There is nothing to do."
    let row = StackView(.horizontal, spacing: 1, [Button("OK"), delete, later, View()])
    row.height = 1
    return StackView(
      .vertical,
      [
        row, Checkbox("Wrap lines", isOn: true), Checkbox("Show hidden files"), Link("Manual"),
        View(),
      ])
  }

  static func choices() -> View {
    StackView(
      .vertical,
      [
        RadioGroup(["Small", "Medium", "Large"], selectedIndex: 1, axis: .horizontal),
        Switch("Wi-Fi", isOn: true), Slider(25, in: 0...100), Stepper(3, in: 0...3),
        PopUpButton(["Low", "High"], selectedIndex: 1),
        ComboBox("Inbox", choices: ["Inbox", "Archive"]),
      ])
  }

  static func containers() -> View {
    let copies = Stepper(2)
    copies.validationMessage = "Too few."
    let form = Form(["Name": TextField("Ada"), "Copies": copies])
    let scroll = ScrollView(Label((1...9).map { "line \($0)" }.joined(separator: "\n")))
    scroll.height = 3
    let tabs = TabView(["One": Label("first"), "Two": Button("second")])
    tabs.height = 3
    let split = SplitView(.horizontal, Label("left"), Label("right"), position: .cells(20))
    return StackView(.vertical, [Box("Contact", form), scroll, tabs, split])
  }

  static func text() -> View {
    let (editor, locked) = (TextView("one\ntwo wörds 👋"), TextView("locked"))
    editor.highlights = { _, line in line.ranges(of: "two").map { TextHighlight($0) } }
    locked.isEditable = false
    return StackView(.vertical, [editor, locked])
  }

  /// A table does not keep its data source.
  private static let prices = PriceList()

  static func table() -> View {
    let table = TableView(columns: [
      TableColumn("name", title: "Name", isSortable: true),
      TableColumn("price", title: "Price", width: .fixed(10), alignment: .trailing),
    ])
    table.dataSource = prices
    table.sort = TableSort("name")
    table.selectedRow = 1
    return table
  }

  static func outline() -> View {
    let outline = OutlineView(columns: [TableColumn("name", title: "Name")])
    let top = CollectionProperty([
      SampleFolder("Music", [SampleFolder("Bach"), SampleFolder("Cash")]), SampleFolder("Notes"),
    ])
    outline.rx.rows(top, children: \.folders, isExpandable: { !$0.folders.isEmpty }) {
      row, folder in row["name"].text = folder.name
    }
    outline.expand(row: 0)
    return outline
  }

  static func information() -> View {
    let image = ImageView(PixelImage(size: Size(width: 2, height: 2), filledWith: .init(9, 9, 9)))
    image.accessibilityLabel = "A dark square"
    (image.width, image.height) = (4, 2)
    return StackView(
      .vertical,
      [
        Label("A label that is too long for the window in which it is shown, so it is truncated"),
        ProgressBar(0.5), image, Stars(), View(), KeyHints(), StatusBar("Saved", right: "3 notes"),
      ])
  }
}

/// Prices in two sections.
private final class PriceList: TableViewDataSource {
  private let sections = [
    ("Fruit", [("Apple", "0.50"), ("Banana", "0.25")]), ("Other", [("Bread", "3.00")]),
  ]

  func numberOfSections(in table: TableView) -> Int { sections.count }

  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
    sections[section].1.count
  }

  func tableView(_ table: TableView, titleOfSection section: Int) -> String? {
    sections[section].0
  }

  func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
    let path = table.path(ofRow: row)
    let (name, price) = sections[path.section].1[path.item]
    return ["name": TableCell(name), "price": TableCell(price, style: .faint)]
  }
}

/// An element of a tree.
final class SampleFolder: Identifiable {
  let name: String
  let folders: CollectionProperty<[SampleFolder]>

  init(_ name: String, _ folders: [SampleFolder] = []) {
    self.name = name
    self.folders = CollectionProperty(folders)
  }
}

/// A view that has no native widget.
private final class Stars: View, CellDrawn {
  override var accessibility: Accessibility? {
    Accessibility(.custom("rating"), label: "Rating", value: "3 of 5 stars")
  }

  func draw(in painter: inout Painter, theme: Theme) {
    painter.put("★★★☆☆", in: Rect(x: 0, y: 0, width: 5, height: 1))
  }
}
#endif
