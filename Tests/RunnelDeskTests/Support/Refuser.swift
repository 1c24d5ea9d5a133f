import RunnelDesk

/// A delegate of all controls that refuses, or runs an action while it is asked. It logs every
/// call.
@MainActor
final class Refuser {
  let log = Log()
  var agrees = false
  var onAsk: () -> Void = {}

  fileprivate func isAllowed(_ question: String) -> Bool {
    log.add("\(question)?")
    onAsk()
    return agrees
  }
}

extension Refuser: ApplicationDelegate {
  func applicationShouldTerminate(_ application: Application) -> Bool { isAllowed("terminate") }
  func applicationWillTerminate(_ application: Application) { log.add("terminates") }
}

extension Refuser: WindowDelegate {
  func windowShouldClose(_ window: Window) -> Bool { isAllowed("close") }
  func windowWillClose(_ window: Window) { log.add("closes") }
}

extension Refuser: AlertDelegate {
  func alert(_ alert: Alert, shouldCloseWith button: AlertButton) -> Bool { isAllowed("answer") }
  func alert(_ alert: Alert, didCloseWith button: AlertButton?) { log.add("answered") }
}

extension Refuser: MenuDelegate {
  func menu(_ menu: Menu, shouldActivate item: MenuItem) -> Bool { isAllowed("activate") }
}

extension Refuser: CheckboxDelegate {
  func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool { isAllowed("tick") }
  func checkboxDidChange(_ checkbox: Checkbox) { log.add("ticked") }
}

extension Refuser: SwitchDelegate {
  func switchControl(_ control: Switch, shouldChangeTo isOn: Bool) -> Bool { isAllowed("switch") }
  func switchDidChange(_ control: Switch) { log.add("switched") }
}

extension Refuser: RadioGroupDelegate {
  func radioGroup(_ group: RadioGroup, shouldSelect index: Int) -> Bool { isAllowed("option") }
  func radioGroupDidChange(_ group: RadioGroup) { log.add("option selected") }
}

extension Refuser: SliderDelegate {
  func slider(_ slider: Slider, shouldChangeTo value: Double) -> Bool { isAllowed("slide") }
  func sliderDidChange(_ slider: Slider) { log.add("slid") }
}

extension Refuser: StepperDelegate {
  func stepper(_ stepper: Stepper, shouldChangeTo value: Int) -> Bool { isAllowed("step") }
  func stepperDidChange(_ stepper: Stepper) { log.add("stepped") }
}

extension Refuser: PopUpButtonDelegate {
  func popUpButton(_ button: PopUpButton, shouldSelect index: Int) -> Bool { isAllowed("choose") }
  func popUpButtonDidChange(_ button: PopUpButton) { log.add("chosen") }
}

extension Refuser: TabViewDelegate {
  func tabView(_ view: TabView, shouldSelect index: Int) -> Bool { isAllowed("tab") }
  func tabViewDidChange(_ view: TabView) { log.add("tab selected") }
}

extension Refuser: SplitViewDelegate {
  func splitView(_ view: SplitView, shouldMoveDividerTo cells: Int) -> Bool { isAllowed("move") }
  func splitViewDidMoveDivider(_ view: SplitView) { log.add("moved") }
}

extension Refuser: TextFieldDelegate {
  func textFieldShouldBeginEditing(_ field: TextField) -> Bool { isAllowed("begin") }
  func textFieldDidBeginEditing(_ field: TextField) { log.add("began") }
  func textField(
    _ field: TextField, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool { isAllowed("change") }
  func textField(_ field: TextField, didChangeText edit: TextEdit) { log.add("changed") }
  func textFieldShouldEndEditing(_ field: TextField) -> Bool { isAllowed("end") }
  func textFieldDidEndEditing(_ field: TextField) { log.add("ended") }
  func textField(_ field: TextField, doCommand command: Command) -> Bool { !isAllowed("command") }
  func textField(_ field: TextField, didSubmit text: String) { log.add("submitted") }
}

extension Refuser: TextViewDelegate {
  func textViewShouldBeginEditing(_ view: TextView) -> Bool { isAllowed("begin") }
  func textViewDidBeginEditing(_ view: TextView) { log.add("began") }
  func textView(
    _ view: TextView, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool { isAllowed("change") }
  func textView(_ view: TextView, didChangeText edit: TextEdit) { log.add("changed") }
  func textViewShouldEndEditing(_ view: TextView) -> Bool { isAllowed("end") }
  func textViewDidEndEditing(_ view: TextView) { log.add("ended") }
  func textView(_ view: TextView, doCommand command: Command) -> Bool { !isAllowed("command") }
}

extension Refuser: TableViewDelegate {
  func tableView(_ table: TableView, shouldSelectRow row: Int) -> Bool { isAllowed("select row") }
  func tableView(_ table: TableView, shouldChangeSelectionTo rows: RangeSet<Int>) -> Bool {
    isAllowed("select")
  }
  func tableViewSelectionDidChange(_ table: TableView) { log.add("selected") }
  func tableView(_ table: TableView, didActivateRow row: Int) { log.add("activated") }
  func tableView(_ table: TableView, shouldEditRow row: Int) -> Bool { isAllowed("edit") }
  func tableView(_ table: TableView, didBeginEditingRow row: Int) { log.add("edits") }
  func tableView(_ table: TableView, shouldSortBy sort: TableSort) -> Bool { isAllowed("sort") }
  func tableView(_ table: TableView, didSortBy sort: TableSort) { log.add("sorted") }
  func tableView(_ table: TableView, shouldResize column: TableColumn, to width: Int) -> Bool {
    isAllowed("resize")
  }
  func tableView(_ table: TableView, didResize column: TableColumn) { log.add("resized") }
  func tableView(_ table: TableView, doCommand command: Command) -> Bool { !isAllowed("command") }
}
