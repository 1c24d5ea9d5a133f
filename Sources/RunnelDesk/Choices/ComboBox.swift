import RunnelStreams
import RunnelText

/// A text field with choices, which a menu offers and typing completes.
///
///     let folder = ComboBox(choices: ["Inbox", "Archive"], placeholder: "Folder")
///     folder.rx.text.observeNext { print($0) }
///
/// The arrow key down, or a click on the arrow, opens the menu. The user can also type another text.
/// The delegate of ``field`` is asked and notified of all changes.
@MainActor
public final class ComboBox: View {
  /// The field that contains the text.
  public let field: TextField

  /// The choices, from top to bottom.
  public var choices: [String]

  /// The text.
  public var text: String {
    get { field.text }
    set { field.text = newValue }
  }

  /// Creates a combo box.
  public init(_ text: String = "", choices: [String] = [], placeholder: String = "") {
    field = TextField(text, placeholder: placeholder)
    self.choices = choices
    super.init()
    addSubview(field)
    field.rDelegate.answer(\.textField_doCommand) { [weak self] _, command in
      command == .move(.down) && self?.open() == true
    }
    field.rDelegate.answer(\.textField_completionFor) { [weak self] _, text in
      self?.completion(of: text)
    }
  }

  private func completion(of text: String) -> String? {
    let letters = text.lowercased()
    return choices.first { $0.lowercased().hasPrefix(letters) && $0.count > text.count }
  }

  /// Opens the menu with the choices. Returns true if it is open then.
  @discardableResult
  public func open() -> Bool {
    guard field.isEditable else { return false }
    return openChoices(choices, selectedIndex: choices.firstIndex(of: text)) { [field] _, choice in
      field.propose(text: choice)
    }
  }

  // MARK: - View

  /// The number of columns of the arrow and the space before it.
  package static let arrowWidth = 2

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  override public func layoutSubviews() {
    let width = max(bounds.width - Self.arrowWidth, 0)
    field.frame = Rect(x: 0, y: 0, width: width, height: bounds.height)
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    openWithMouse(event, clicks: clicks) {
      if window?.makeFirstResponder(field) == true { open() }
    }
  }
}

extension Reactive where Base: ComboBox {
  /// The text: the current one, then the text after each change by the user.
  @MainActor public var text: ControlProperty<String> { base.field.rx.text }

  /// The choices.
  @MainActor public var choices: Binder<[String]> { Binder(base) { $0.choices = $1 } }
}
