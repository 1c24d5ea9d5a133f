import RunnelText

/// Rows of a label and a control. All labels share a column, and so do the controls.
///
///     window.content = Form(["Name": nameField, "Notes": editor, "": saveButton])
///     nameField.validationMessage = "A name is needed."
///
/// A control takes the whole width if it wants no particular one. A click on a label moves the focus
/// to its control. The ``View/validationMessage`` of a control, and those of the views in it, are shown
/// below the control. They take free rows between the rows of the form first, so that little moves.
///
/// A form in a form has its own column of labels, and shows the messages of its controls itself.
///
/// The subviews are the controls: hiding or removing one hides or removes its row.
@MainActor
public final class Form: View {
  /// The alignment of the labels in their column.
  public var labelAlignment: TextAlignment = .trailing { didSet { needsDisplay() } }

  /// The space between two rows. It is left out when room is scarce.
  public var spacing: Spacing { didSet { needsDisplay() } }

  private var labels: [(control: WeakView, text: String)] = []

  private struct WeakView {
    weak var view: View?
  }

  /// Creates a form. An empty label leaves the column of the labels free.
  public init(_ rows: KeyValuePairs<String, View> = [:], spacing: Spacing = .section) {
    self.spacing = spacing
    super.init()
    for (label, control) in rows { addRow(label, control) }
  }

  /// Adds a row below the others.
  public func addRow(_ label: String, _ control: View) {
    setLabel(label, of: control)
    addSubview(control)
  }

  /// Returns the label of a control.
  public func label(of control: View) -> String {
    labels.first { $0.control.view === control }?.text ?? ""
  }

  /// Sets the label of a control.
  public func setLabel(_ label: String, of control: View) {
    labels.removeAll { $0.control.view == nil || $0.control.view === control }
    labels.append((WeakView(view: control), label))
    needsDisplay()
  }

  // MARK: - Layout

  package var rows: [FormLayout.Row] { layout(in: bounds.size).rows }

  private func layout(in room: Size) -> FormLayout {
    layout(.cells(spacing: max(spacing.cells(along: .vertical), 0)), in: room)
  }

  package func layout(_ measure: FormLayout.Measure, in room: Size) -> FormLayout {
    FormLayout(
      subviews.filter { !$0.isHidden }.map { ($0, label(of: $0)) }, measure, in: room)
  }

  override public func wantedExtent(in room: Size) -> Extent { layout(in: room).wanted }

  override public func layoutSubviews() {
    for row in rows { row.control.frame = row.frame }
  }

  // MARK: - Mouse

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    guard case .press(.left) = event.action else { return false }
    guard let row = rows.first(where: { $0.label.contains(event.position) }), let window else {
      return false
    }
    let target = window.focusOrder.first { row.control.contains($0) }
    return target.map(window.makeFirstResponder) ?? false
  }
}
