import RunnelStreams

/// The content view of an alert's window.
@MainActor
package final class AlertView: View {
  let alert: Alert
  private let finish: (AlertButton?) -> Void
  package let message: Label
  package let accessory: View?
  let answers: [(answer: AlertButton, button: Button)]
  /// The buttons.
  package let row: StackView
  private var givenAnswer: AlertButton?

  /// The width in cells at which a message without line breaks is wrapped. Longer lines are hard to
  /// read.
  private static let maximumMessageWidth = 60

  init(_ alert: Alert, finish: @escaping (AlertButton?) -> Void) {
    self.alert = alert
    self.finish = finish
    message = Label(alert.message)
    message.wraps = true
    accessory = alert.accessory
    answers = alert.buttons.map { ($0, Button($0.title)) }
    row = StackView(.horizontal, spacing: .related, answers.map(\.button))
    super.init()
    for view in [message, accessory, row] {
      if let view { addSubview(view) }
    }
    for (answer, button) in answers {
      button.isDestructive = answer.role == .destructive
      button.rx.tap.observeNext { [weak self] in self?.give(answer) }
    }
  }

  private func button(_ role: AlertButton.Role) -> Button? {
    answers.first { $0.answer.role == role }?.button
  }

  func present(_ window: Window, in application: Application) {
    window.delegate = self
    window.defaultButton = button(.default)
    window.cancelButton = button(.cancel) ?? (answers.count == 1 ? answers[0].button : nil)
    let field = window.focusOrder.first { accessory?.contains($0) == true }
    let first = field ?? window.defaultButton ?? window.cancelButton ?? answers.first?.button
    window.makeFirstResponder(first)
    application.show(window)
    // An application that has ended shows no window.
    guard window.application != nil else { return finish(nil) }
  }

  private func give(_ answer: AlertButton) {
    if alert.delegate?.alert(alert, shouldCloseWith: answer) == false { return }
    guard let window, window.application != nil else { return }
    givenAnswer = answer
    window.close()
  }

  // MARK: - Keys

  override package func perform(_ command: Command) -> Bool {
    guard let index = answers.firstIndex(where: { $0.button.isFirstResponder }) else {
      return false
    }
    let step: Int
    switch command {
    case .move(.left), .move(.up): step = -1
    case .move(.right), .move(.down): step = 1
    // A long text scrolls while a button has the focus.
    case .move(.pageUp), .move(.pageDown): return accessory?.perform(command) ?? false
    case .move, .extend, .insertNewline, .insertTab, .insertBacktab, .cancel, .complete, .selectAll,
      .delete, .undo, .redo, .moveLinesUp, .moveLinesDown, .cut, .copy, .paste, .quit:
      return false
    }
    let next = index + step
    if answers.indices.contains(next) { window?.makeFirstResponder(answers[next].button) }
    return true
  }

  // MARK: - Layout

  override package var accessibility: Accessibility? {
    let parts = [alert.message] + answers.map { "[\($0.answer.title)]" }
    return Accessibility(.alert, value: parts.filter { !$0.isEmpty }.joined(separator: " "))
  }

  override package func wantedExtent(in room: Size) -> Extent {
    let column = Size(width: min(Self.maximumMessageWidth, room.width), height: room.height)
    // An accessory without a width of its own, such as a text field, gets room for a long line.
    let accessoryWidth = accessory.map { $0.extent(in: room).width ?? Self.maximumMessageWidth }
    let widths = [message.extent(in: column).width, accessoryWidth, rowWidth(in: room)]
    let width = min(widths.compactMap { $0 }.max() ?? 0, room.width)
    let parts = heights(in: Size(width: width, height: room.height))
    return Extent(width: width, height: parts.message + parts.accessory + 1 + parts.row)
  }

  private func rowWidth(in room: Size) -> Int {
    answers.reduce(-1) { $0 + 1 + ($1.button.extent(in: room).width ?? 0) }
  }

  private func heights(in room: Size) -> (message: Int, accessory: Int, row: Int) {
    (
      alert.message.isEmpty ? 0 : message.extent(in: room).height ?? 1,
      accessory.map { $0.extent(in: room).height ?? 1 } ?? 0,
      rowWidth(in: room) > room.width ? answers.count : 1
    )
  }

  override package func layoutSubviews() {
    let size = bounds.size
    let wanted = rowWidth(in: size)
    // Buttons that do not fit in one row are stacked vertically.
    let axis: Axis = wanted > size.width ? .vertical : .horizontal
    if row.axis != axis { row.axis = axis }
    // If there is too little room, the message is truncated.
    let parts = heights(in: size)
    let top = max(size.height - parts.row, 0)
    let field = min(parts.accessory, top)
    let gap = top > field ? 1 : 0
    let rest = top - field - gap
    let start = max(size.width - wanted, 0)
    message.frame = Rect(x: 0, y: 0, width: size.width, height: rest)
    accessory?.frame = Rect(x: 0, y: rest, width: size.width, height: field)
    row.frame = Rect(x: start, y: top, width: size.width - start, height: size.height - top)
  }
}

extension AlertView: WindowDelegate {
  package func windowWillClose(_ window: Window) {
    accessory?.removeFromSuperview()
    alert.delegate?.alert(alert, didCloseWith: givenAnswer)
    finish(givenAnswer)
  }
}
