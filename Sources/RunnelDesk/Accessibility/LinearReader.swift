import RunnelText

/// A reader that describes the front window of an application, and its changes, as lines of text.
///
/// A backend without a screen writes the lines, so that a screen reader or a braille display can
/// follow the application. Each call of ``read(_:size:)`` returns the changes since the
/// previous one: a new window, the focus with its tool tip, the value of a view, a toast.
@MainActor
package final class LinearReader {
  private weak var window: Window?
  private weak var focus: View?
  /// The descriptions that were read last in each window.
  private var records: [Record] = []
  private var hasReadHint = false
  private var help = ""
  private weak var toast: Toast?

  /// The descriptions of the views of a window. A window that becomes the front window again is
  /// read by its title and its changes only.
  private struct Record {
    weak var window: Window?
    var descriptions: [ObjectIdentifier: Accessibility] = [:]
  }

  package init() {}

  /// Makes the next call read the whole window again.
  package func forget() {
    window = nil
    records = []
    hasReadHint = false
    help = ""
    toast = nil
  }

  /// Returns the lines for everything that has changed in the front window.
  ///
  /// - Parameter size: The size for which the windows are laid out. Paging in lists depends on it.
  package func read(_ application: Application, size: Size) -> [String] {
    guard let window = application.keyWindow else { return [] }
    window.layout(on: size)
    records.removeAll { $0.window == nil }
    let index = records.firstIndex { $0.window === window }
    let isNew = index == nil
    let isSwitch = self.window !== window
    let focus = window.overlay ?? window.firstResponder
    let old = index.map { records[$0].descriptions } ?? [:]
    var new = Record(window: window)
    // The line of an alert contains its message.
    let alert = isNew && window.content.accessibility?.role == .alert ? window.content : nil
    let message = (alert as? AlertView)?.message
    var lines = isSwitch ? [title(of: window)] : []
    var focusLine: String?
    for view in window.root.shownTree + (window.overlay?.shownTree ?? []) {
      guard let now = view.spokenAccessibility(in: application.theme, isFocused: view === focus)
      else { continue }
      new.descriptions[ObjectIdentifier(view)] = now
      let before = old[ObjectIdentifier(view)]
      if view === focus {
        let isSame = !isSwitch && focus === self.focus
        let change = before.flatMap { now.change(since: $0, includingDetail: true) }
        focusLine = isSame && before != nil ? change : now.sentence
      } else if let before {
        let change = now.change(since: before, includingDetail: false)
        if let change, view.readsChanges { lines.append(change) }
      } else if !view.canBecomeFirstResponder && view !== alert && view !== message {
        lines.append(now.sentence)
      }
    }
    if let hint = application.quitHint, !hasReadHint {
      hasReadHint = true
      lines.append(hint)
    }
    if let index { records[index] = new } else { records.append(new) }
    self.window = window
    self.focus = focus
    let last = [toastLine(of: application), focusLine, helpLine(of: focus)].compactMap { $0 }
    return (lines + last).flatMap(\.printableLines)
  }

  /// Returns the toast with its action, if it has not been read.
  private func toastLine(of application: Application) -> String? {
    let shown = application.toast
    defer { toast = shown }
    guard let shown, shown !== toast else { return nil }
    let action = [shown.action, shown.key?.label].compactMap { $0 }.joined(separator: " ")
    return action.isEmpty ? shown.message : "\(shown.message) [\(action)]"
  }

  /// Returns the tool tip for the focused view, unless the former view had the same one.
  private func helpLine(of focus: View?) -> String? {
    let former = help
    help = focus?.toolTipOwner?.toolTip ?? ""
    return help == former ? nil : help
  }

  private func title(of window: Window) -> String {
    if let alert = window.content.accessibility, alert.role == .alert {
      return "Alert: \([window.title, alert.value].filter { !$0.isEmpty }.joined(separator: " "))"
    }
    return window.title.isEmpty ? "" : "\(window.title), window"
  }
}

extension View {
  /// The view and the views in it that are not hidden, in reading order.
  fileprivate var shownTree: [View] {
    isHidden ? [] : [self] + subviews.flatMap(\.shownTree)
  }

  /// The description with the label that the application or a form has given, and with the
  /// validation message. A focused view without a description is described by the text that it draws.
  fileprivate func spokenAccessibility(in theme: Theme, isFocused: Bool) -> Accessibility? {
    let label = ownLabel
    guard var description = accessibility else {
      guard isFocused else { return nil }
      return Accessibility(.text, label: label ?? "", value: drawnText(in: theme))
    }
    if let label { description.label = label }
    if let message = validationMessage, !message.isEmpty {
      description.value = [description.value, message].filter { !$0.isEmpty }
        .joined(separator: ", ")
    }
    return description
  }

  /// The label that the application or a form has given the view, or a control that consists of it.
  package var ownLabel: String? {
    let chain = sequence(first: self) {
      $0.superview.flatMap { $0.accessibility == nil ? $0 : nil }
    }
    let labels = chain.lazy.flatMap { view in
      [view.accessibilityLabel, (view.superview as? Form)?.label(of: view)].compactMap { $0 }
    }
    return labels.first { !$0.isEmpty } ?? questionOfAlert
  }

  /// The title of the alert whose accessory is the view: a field without a name is the answer to it.
  private var questionOfAlert: String? {
    guard let field = self as? TextField, field.placeholder.isEmpty,
      let alert = window?.alert, alert.accessory === self, !alert.title.isEmpty
    else { return nil }
    return alert.title
  }

  private func drawnText(in theme: Theme) -> String {
    guard let view = self as? any CellDrawn else { return "" }
    var painter = Painter(Grid(bounds.size))
    view.draw(in: &painter, theme: theme)
    return painter.grid.lines.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension String {
  /// The lines of the text that are not blank, without control characters.
  fileprivate var printableLines: [String] {
    split(whereSeparator: \.isNewline).compactMap { line in
      let scalars = line.unicodeScalars.map { $0.isControl ? " " : $0 }
      let text = String(String.UnicodeScalarView(scalars))
      return text.allSatisfy { $0 == " " } ? nil : text
    }
  }
}
