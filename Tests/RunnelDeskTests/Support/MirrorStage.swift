import RunnelDesk
import RunnelProxies
import RunnelStreams
import RunnelTesting
import Testing

/// A window with one control of each kind, shown by a backend with native controls.
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
  let lamp = Switch("Lamp")
  let group = RadioGroup(["a", "b", "c"], selectedIndex: 0)
  let slider = Slider(0, in: 0...10, step: 1)
  let stepper = Stepper(0, in: 0...10)
  let popUp = PopUpButton(["a", "b", "c"])
  let combo = ComboBox("a", choices: ["a", "b", "c"])
  let tabs = TabView(["a": Label("a"), "b": Label("b"), "c": Label("c")])
  /// The controls with one value.
  let values: [View]
  let item = MenuItem("Item")
  let menu: Menu
  let other = Window(content: Label("other"))
  let alert = Alert("Sure?")
  private let source = CountingSource([(nil, ["x", "y", "z"])])

  init() {
    application = Application(backend: backend, scheduler: TestScheduler())
    split = SplitView(.horizontal, Label("left"), Label("right"), position: .cells(5))
    menu = Menu("Menu", [item])
    values = [lamp, group, slider, stepper, popUp, combo, tabs]
    window = Window(
      content: StackView(.vertical, [field, checkbox, button, editor, table, split] + values))
    window.menuBar = MenuBar([menu])
    table.dataSource = source
    application.show(other)
    application.show(window)
    window.makeFirstResponder(button)
    // The rows could be sorted.
    table.rx.sort.observeNext { _ in }
    field.rx.submit.observeNext { [window] in window.title = $0 }
    // A toolkit has its own layout and sets the frame of each control.
    for view in [table, split] { view.frame = Rect(x: 0, y: 0, width: 30, height: 5) }
    _ = backend.isInSync
  }

  /// A refusable action of the user, with its delegate, its effect, and its notification.
  struct Veto: CustomTestStringConvertible {
    let testDescription: String
    /// Sets the delegate to the stage's refuser.
    let adopt: @MainActor (MirrorStage) -> Void
    /// Installs a proxy handler that allows or refuses the action.
    let answer: @MainActor (MirrorStage, @escaping () -> Bool) -> Disposable
    let act: @MainActor (MirrorStage) -> Void
    let outcome: @MainActor (MirrorStage) -> String
    /// The log entry of the delegate's notification after it agreed.
    let notification: String

    init(
      _ name: String, notification: String, adopt: @escaping @MainActor (MirrorStage) -> Void,
      answer: @escaping @MainActor (MirrorStage, @escaping () -> Bool) -> Disposable,
      act: @escaping @MainActor (MirrorStage) -> Void,
      outcome: @escaping @MainActor (MirrorStage) -> String
    ) {
      (testDescription, self.notification) = (name, notification)
      (self.adopt, self.answer, self.act, self.outcome) = (adopt, answer, act, outcome)
    }
  }
}
