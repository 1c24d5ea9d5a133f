#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// Spaces that have a meaning are measured in pixels.
  @Suite @MainActor
  struct PixelLayoutTests {
    /// Returns the place of a view's widget in the content of its window.
    private func place(of view: View, in app: TestApp) throws -> Rect {
      let mirror = try #require(app.mirror(of: view))
      let widget = mirror.container.widget
      return Rect(
        x: Int(mirror.origin.x), y: Int(mirror.origin.y), width: Int(gtk_widget_get_width(widget)),
        height: Int(gtk_widget_get_height(widget)))
    }

    private func contentSize(of app: TestApp) throws -> (window: WindowMirror, size: Size) {
      let window = try #require(app.backend.windows.last)
      let widget = window.contentWidget
      return (
        window,
        Size(width: Int(gtk_widget_get_width(widget)), height: Int(gtk_widget_get_height(widget)))
      )
    }

    @Test func aStackHasTheSpacesOfTheDesktop() throws {
      let (search, list) = (TextField("a"), TableView(columns: [TableColumn("a", title: "A")]))
      let (cancel, save) = (Button("Cancel"), Button("Save"))
      let buttons = StackView(.horizontal, spacing: .related, [View(), cancel, save])
      buttons.height = 1
      let stack = StackView(.vertical, spacing: .section, padding: .edge, [search, list, buttons])
      let app = try TestApp(stack, size: Size(width: 60, height: 20))
      defer { app.end() }
      let (window, size) = try contentSize(of: app)
      let (first, middle, last) = (
        try place(of: search, in: app), try place(of: list, in: app), try place(of: save, in: app)
      )
      #expect(first.origin == Point(x: 12, y: 12) && first.maxX == size.width - 12)
      #expect(first.height == window.controlHeight && last.height == window.controlHeight)
      #expect(window.controlHeight > window.metrics.pixels(rows: 1))
      #expect(middle.minY == first.maxY + 12 && last.minY == middle.maxY + 12)
      #expect(last.maxX == size.width - 12 && last.maxY == size.height - 12)
      #expect(try place(of: cancel, in: app).maxX == last.minX - 6)
      // A terminal has one column between the buttons, and one row between the parts.
      #expect(search.frame == Rect(x: 0, y: 0, width: 60, height: 1))
      #expect(list.frame == Rect(x: 0, y: 2, width: 60, height: 16))
      #expect(cancel.frameInWindow.maxX == save.frameInWindow.minX - 1)
    }

    @Test func withoutRoomViewsAreInCells() throws {
      let buttons = (1...6).map { Button("\($0)") }
      let stack = StackView(.vertical, spacing: .related, padding: .edge, buttons)
      let app = try TestApp(stack, size: Size(width: 30, height: 6))
      defer { app.end() }
      let window = try #require(app.backend.windows.last)
      for (index, button) in buttons.enumerated() {
        let place = try place(of: button, in: app)
        #expect(abs(place.minY - window.metrics.pixels(rows: index)) <= 1)
        #expect(place.height <= window.metrics.pixels(rows: 1) + 1)
      }
      app.backend.send(.resize(Size(width: 30, height: 12)))
      app.settle { (try? place(of: buttons[0], in: app).minY) == 12 }
      #expect(try place(of: buttons[5], in: app).height == window.controlHeight)
    }

    @Test func spacesMayChange() throws {
      let (one, two) = (Button("1"), Button("2"))
      let stack = StackView(.vertical, spacing: .related, [one, two, View()])
      let app = try TestApp(stack, size: Size(width: 30, height: 10))
      defer { app.end() }
      for (spacing, gap) in [(Spacing.section, 12), (.related, 6), (.edge, 12)] {
        stack.spacing = spacing
        app.settle()
        #expect(try place(of: two, in: app).minY - place(of: one, in: app).maxY == gap)
      }
      stack.spacing = 1
      app.settle()
      let window = try #require(app.backend.windows.last)
      #expect(abs(try place(of: two, in: app).minY - window.metrics.pixels(rows: 2)) <= 1)
      one.isHidden = true
      stack.spacing = .section
      app.settle()
      #expect(try place(of: two, in: app).minY == 0)
    }

    @Test func eachPixelIsOfTheViewThatIsShownThere() throws {
      let table = TableView(columns: [TableColumn("a", title: "A", width: .fixed(10))])
      let source = Rows((1...40).map { "row \($0)" })
      table.dataSource = source
      let (field, button) = (TextField("text"), Button("OK"))
      let stack = StackView(
        .vertical, spacing: .section, padding: .edge,
        [field, table, StackView(.horizontal, [button])])
      let app = try TestApp(stack, size: Size(width: 40, height: 16))
      defer { app.end() }
      let (window, size) = try contentSize(of: app)
      let rowHeight = window.metrics.height
      var seen: Set<ObjectIdentifier> = []
      for y in stride(from: 0, to: size.height, by: 3) {
        let target = window.target(x: 20, y: Double(y))
        let view = target.mirror?.view
        let shown = try [field, table, button].first { view in
          let place = try place(of: view, in: app)
          return y >= place.minY && y < place.maxY
        }
        #expect(view === (shown ?? stack), "At \(y) is \(String(describing: view)).")
        if let view { seen.insert(ObjectIdentifier(view)) }
        guard view === table else { continue }
        let top = try place(of: table, in: app).minY
        let line = Int((Double(y - top)) / rowHeight)
        #expect(target.cell.y - table.frameInWindow.minY == line)
      }
      #expect(seen.count == 4)
      // The rows have the height of a line, and as many are visible as fit.
      let list = try place(of: table, in: app)
      #expect(table.visibleRows.count == Int(Double(list.height) / rowHeight) - 1)
      #expect(table.visibleRows.count < table.frame.height - 1)
      table.scrollToRow(39)
      app.settle()
      #expect(app.lines.contains { $0.contains("row 40") })
      #expect(table.visibleRows.upperBound == 40)
    }

    @Test func aTableScrollsByPixels() throws {
      let table = TableView(columns: [TableColumn("a", title: "A", width: .fixed(10))])
      let source = Rows((1...40).map { "row \($0)" })
      table.dataSource = source
      let stack = StackView(.vertical, padding: .edge, [table])
      let app = try TestApp(stack, size: Size(width: 40, height: 12))
      defer { app.end() }
      let mirror = try #require(app.mirror(of: table) as? TableMirror)
      let window = mirror.window
      let rowHeight = window.metrics.height
      func row(_ text: String) throws -> (y: Double, bottom: Double) {
        let label = [Widget](below: mirror.container.widget).first {
          Bool(runnel_is_a($0, gtk_label_get_type()))
            && RunnelGTK.text(of: gtk_label_get_text(cast($0))) == text
        }
        let found = try #require(
          label.flatMap { gtk_widget_get_parent($0) }, "\(text) is not shown.")
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(found, mirror.container.widget, 0, 0, &x, &y)
        return (y, y + Double(gtk_widget_get_height(found)))
      }
      let start = try row("row 1").y
      var changes = 0
      let observation = table.rDelegate.stream(\.tableView_didShowRows).observeNext { _ in
        changes += 1
      }
      defer { observation.dispose() }
      #expect(mirror.scroll(by: 10))
      app.settle()
      #expect(try abs(row("row 1").y - (start - 10)) <= 1 && table.scrollPosition == 0)
      #expect(changes == 0)
      mirror.scroll(by: 3 * rowHeight)
      app.settle()
      #expect(table.scrollPosition == 3 && changes == 1)
      #expect(try abs(row("row 4").y - (start - 10)) <= 1)
      // A click meets the row that is shown there.
      let place = try row("row 6")
      let cell = mirror.cell(x: 20, y: place.y + 2)
      window.input.send(MouseEvent(.press(.left), at: cell))
      window.input.send(MouseEvent(.release(.left), at: cell))
      #expect(table.selectedRows == RangeSet(5..<6))
      app.settle()
      #expect(try abs(row("row 4").y - (start - 10)) <= 1, "Rows do not move under the mouse.")
      table.propose(selectedRows: RangeSet(3..<4))
      app.settle()
      #expect(try abs(row("row 4").y - start) <= 1, "A selected line is whole.")
      #expect(mirror.scroll(by: 1e6) && !mirror.scroll(by: 1))
      app.settle()
      let end = Double(gtk_widget_get_height(mirror.container.widget))
      #expect(try abs(row("row 40").bottom - end) <= 1)
      #expect(mirror.scroll(by: -1e6) && !mirror.scroll(by: -1))
      app.settle()
      #expect(try abs(row("row 1").y - start) <= 1)
      // The keyboard shows whole lines.
      mirror.scroll(by: 2.5 * rowHeight)
      try app.press("end")
      #expect(table.visibleRows.upperBound == 40)
      #expect(try row("row 40").bottom <= end)
    }

    @Test func aMovementBecomesSlower() {
      var (momentum, distance, seconds) = (Momentum(velocity: 1_000), 0.0, 0.0)
      while !momentum.hasEnded {
        let step = momentum.advance(by: 1 / 60)
        #expect(step > 0 && step < 1_000 / 60)
        distance += step
        seconds += 1 / 60
      }
      #expect(distance > 200 && distance < 250 && seconds < 2)
      // The distance does not depend on the frames.
      var (other, whole) = (Momentum(velocity: 1_000), 0.0)
      whole = other.advance(by: seconds)
      #expect(abs(whole - distance) < 1 && abs(other.velocity - momentum.velocity) < 0.01)
      var back = Momentum(velocity: -500)
      #expect(back.advance(by: 0.1) < 0 && Momentum(velocity: -19).hasEnded)
    }

    @Test func aFormHasItsRowsInPixels() throws {
      let (name, age) = (TextField("n"), TextField("1"))
      let form = Form(["Name": name, "Age": age])
      let app = try TestApp(
        StackView(.vertical, [form, View()]), size: Size(width: 40, height: 12))
      defer { app.end() }
      let window = try #require(app.backend.windows.last)
      func places() throws -> (Rect, Rect) {
        (try place(of: name, in: app), try place(of: age, in: app))
      }
      var (first, second) = try places()
      #expect(first.minY == 0 && first.height == window.controlHeight)
      #expect(second.minY == first.maxY + 12 && second.minX == first.minX)
      // A click on a label is one on its control.
      let target = window.target(x: 4, y: Double(second.minY + 8))
      #expect(target.mirror?.view === form)
      window.input.deliver(MouseEvent(.press(.left), at: target.cell))
      #expect(age.isFirstResponder)
      name.validationMessage = "A name is needed."
      app.settle()
      (first, second) = try places()
      #expect(second.minY == first.maxY + window.metrics.pixels(rows: 1))
    }

    @Test func menusOpenAtTheirViews() throws {
      let choice = PopUpButton(["One", "Two", "Three"])
      let stack = StackView(
        .vertical, spacing: .section, padding: .edge, [Button("A"), Button("B"), choice, View()])
      let app = try TestApp(stack, size: Size(width: 40, height: 18))
      defer { app.end() }
      #expect(choice.open())
      app.settle()
      let window = try #require(app.backend.windows.last)
      let panel = try #require(window.window.overlay)
      let popover = try #require(app.mirror(of: panel)?.popover)
      app.settle { Bool(gtk_widget_get_mapped(popover)) }
      #expect(gtk_widget_get_width(popover) >= gtk_widget_get_width(try app.native(choice)))
      let label = [Widget](below: popover).first {
        Bool(runnel_is_a($0, gtk_label_get_type()))
          && text(of: gtk_label_get_text(cast($0))) == "Two"
      }
      let two = try #require(label)
      var (x, y) = (0.0, 0.0)
      gtk_widget_translate_coordinates(two, popover, 4, 4, &x, &y)
      let origin = window.origin(ofPopover: popover)
      (x, y) = (x + origin.x, y + origin.y)
      let below = y - Double(try place(of: choice, in: app).maxY)
      #expect(below > 0 && below < 5 * window.metrics.height, "\(below)")
      let cell = window.target(x: x, y: y).cell
      for action in [MouseEvent.Action.press(.left), .release(.left)] {
        window.input.send(MouseEvent(action, at: cell))
      }
      #expect(choice.selectedIndex == 1)
    }

    @Test("Stacks and forms without visible views, in each other")
    func emptyStacksTakeNoRoom() throws {
      let hidden = StackView(.horizontal, spacing: .related, [Button("A"), Button("B")])
      for view in hidden.subviews { view.isHidden = true }
      let (button, label) = (Button("OK"), Label("A title that is much longer than the window"))
      let nested = StackView(
        .vertical, padding: .edge, [StackView(.vertical, padding: .edge, [button])])
      let stack = StackView(.vertical, spacing: .section, [Form(), hidden, nested, label, View()])
      let app = try TestApp(stack, size: Size(width: 20, height: 12))
      defer { app.end() }
      let window = try #require(app.backend.windows.last)
      let place = try place(of: button, in: app)
      #expect(place.minX == 24 && place.height == window.controlHeight)
      for view in hidden.subviews { view.isHidden = false }
      app.settle()
      #expect(try self.place(of: hidden.subviews[1], in: app).height == window.controlHeight)
    }

    @Test func theDividerMovesTheColumnsOfATable() throws {
      let table = TableView(columns: [TableColumn("a", title: "A"), TableColumn("b", title: "B")])
      let source = Rows(["one", "two"])
      table.dataSource = source
      let split = SplitView(.horizontal, table, TextView(), position: .cells(20))
      let app = try TestApp(
        StackView(.vertical, padding: .edge, [split]), size: Size(width: 60, height: 10))
      defer { app.end() }
      let mirror = try #require(app.mirror(of: table))
      func title() throws -> Int {
        let label = [Widget](below: mirror.container.widget).first {
          Bool(runnel_is_a($0, gtk_label_get_type()))
            && text(of: gtk_label_get_text(cast($0))) == "B"
        }
        let found = try #require(label)
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(found, mirror.container.widget, 0, 0, &x, &y)
        return Int(x)
      }
      for columns in [20, 40, 30] {
        split.position = .cells(columns)
        app.settle()
        let wanted = Double(gtk_widget_get_width(mirror.container.widget)) / 2
        #expect(try abs(Double(title()) - wanted) <= Double(mirror.window.metrics.width))
      }
    }

    @Test func aTableThatIsNoLongerShownHasItsOwnHeight() throws {
      let table = TableView(columns: [TableColumn("a", title: "A")])
      let stack = StackView(.vertical, spacing: .section, padding: .edge, [TextField(), table])
      let app = try TestApp(stack, size: Size(width: 30, height: 12))
      defer { app.end() }
      #expect(table.measuredHeight != nil)
      table.removeFromSuperview()
      app.settle()
      #expect(table.measuredHeight == nil)
    }

    @Test(.enabled(if: Mouse.isAvailable))
    func aContextMenuStaysOpenWhenTheButtonIsReleased() throws {
      let table = TableView(columns: [TableColumn("a", title: "A")])
      let source = Rows((1...9).map { "row \($0)" })
      table.dataSource = source
      var chosen: [String] = []
      let items = ["One", "Two", "Three"].map { MenuItem($0) }
      for item in items {
        item.rx.activate.observeNext { [unowned item] _ in chosen.append(item.title) }
      }
      table.contextMenu = Menu("Row", items)
      let stack = StackView(.vertical, padding: .edge, [TextField(), table])
      let app = try TestApp(stack, size: Size(width: 40, height: 14))
      defer { app.end() }
      let mirror = try #require(app.mirror(of: table))
      try Mouse.click(mirror.container.widget, x: 20, y: 60, button: 3, in: app)
      app.settle()
      #expect(table.selectedRows == RangeSet(1..<2))
      #expect(app.window.overlay != nil && chosen == [])
      try app.press("down", "down", "enter")
      #expect(chosen == ["Two"])
    }

    @Test func anAlertHasButtonsOfTheDesktop() throws {
      let app = try TestApp(Label("behind"), size: Size(width: 60, height: 16))
      defer { app.end() }
      let alert = Alert("Rename", message: "The file gets the same name.")
      let field = TextField("Milk")
      alert.accessory = field
      alert.buttons = [.cancel("Cancel"), .default("Rename")]
      let asking = alert.ask(in: app.application).observe(succeeded: { _ in })
      defer { asking.dispose() }
      app.settle {
        app.backend.windows.last.map { gtk_widget_get_width($0.contentWidget) > 0 } == true
      }
      app.settle()
      let (window, size) = try contentSize(of: app)
      let button = try #require(window.window.defaultButton)
      let (entry, answer) = (try place(of: field, in: app), try place(of: button, in: app))
      #expect(entry.height == window.controlHeight && answer.height == window.controlHeight)
      #expect(answer.minY == entry.maxY + 12)
      #expect(size.height - answer.maxY == window.metrics.pixels(rows: 1))
    }
  }

  private final class Rows: TableViewDataSource {
    private let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { texts.count }
    func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
      ["a": TableCell(texts[row])]
    }
  }
}
#endif
