import RunnelDesk
import RunnelProxies
import RunnelStreams
import RunnelTesting
import Testing

/// A window with one of each control, shown by a backend that has controls of its own.
@MainActor
final class MirrorStage {
  let backend = MirrorBackend()
  let application: Application
  let window: Window
  let refuser = Refuser()

  let field = TextField("field")
  let editor = TextView("one\ntwo")
  let checkbox = Checkbox("Wrap")
  let button = Button("Press")
  let table = TableView(
    columns: [
      TableColumn("a", title: "A", width: .fixed(6), isSortable: true),
      TableColumn("b", title: "B", width: .fixed(6), isSortable: true),
    ], selectionMode: .multiple)
  let split: SplitView
  let item = MenuItem("Item")
  let menu: Menu
  let other = Window(content: Label("other"))
  let alert = Alert("Sure?")
  private let source = CountingSource([(nil, ["x", "y", "z"])])

  init() {
    application = Application(backend: backend, scheduler: TestScheduler())
    split = SplitView(.horizontal, Label("left"), Label("right"), position: .cells(5))
    menu = Menu("Menu", [item])
    window = Window(content: StackView(.vertical, [field, checkbox, button, editor, table, split]))
    window.menuBar = MenuBar([menu])
    table.dataSource = source
    application.show(other)
    application.show(window)
    window.makeFirstResponder(button)
    field.rx.submit.observeNext { [window] in window.title = $0 }
    // A toolkit has its own layout: it tells each control what it got.
    for view in [table, split] { view.frame = Rect(x: 0, y: 0, width: 30, height: 5) }
    _ = backend.isTrue
  }

  /// Something that can be refused: who is asked, what a person does, and what has become of it.
  struct Veto: CustomTestStringConvertible {
    let testDescription: String
    /// Has the delegate asked.
    let adopt: @MainActor (MirrorStage) -> Void
    /// Has a handler of the proxy asked, which says whether it may be.
    let answer: @MainActor (MirrorStage, @escaping () -> Bool) -> Disposable
    let act: @MainActor (MirrorStage) -> Void
    let outcome: @MainActor (MirrorStage) -> String
    /// What the delegate is told when it has agreed.
    let told: String

    init(
      _ name: String, told: String, adopt: @escaping @MainActor (MirrorStage) -> Void,
      answer: @escaping @MainActor (MirrorStage, @escaping () -> Bool) -> Disposable,
      act: @escaping @MainActor (MirrorStage) -> Void,
      outcome: @escaping @MainActor (MirrorStage) -> String
    ) {
      (testDescription, self.told) = (name, told)
      (self.adopt, self.answer, self.act, self.outcome) = (adopt, answer, act, outcome)
    }
  }
}
