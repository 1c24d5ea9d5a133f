import RunnelStreams
import RunnelText

/// A text field with choices, which a menu offers and typing completes.
///
///     let folder = ComboBox(choices: ["Inbox", "Archive"], placeholder: "Folder")
///     folder.rx.text.observeNext { print($0) }
///
/// The arrow key down, or a click on the arrow, opens the menu. The user can also type another text.
/// The delegate of ``field`` is asked and notified of all changes. It can also handle the arrow key
/// itself, and complete the text in another way.
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
    field.helper = self
  }

  // MARK: - Changes by the user

  /// Replaces the text, as the user does by typing or with the menu: if the field is editable and its
  /// delegate agrees. Returns true if the combo box has this text afterwards.
  @discardableResult
  public func propose(text: String) -> Bool { field.propose(text: text) }

  /// Opens the menu with the choices. Returns true if it is open then.
  @discardableResult
  public func open() -> Bool {
    guard field.isEditable else { return false }
    let index = choices.firstIndex(of: text)
    return openChoices(choices, selectedIndex: index) { [weak self] _, choice in
      self?.propose(text: choice)
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

extension ComboBox: TextFieldHelper {
  func helpPerforming(_ command: Command) -> Bool { command == .move(.down) && open() }

  func completion(of text: String) -> String? {
    let letters = text.lowercased()
    return choices.first { $0.lowercased().hasPrefix(letters) && $0.count > text.count }
  }
}

extension Reactive where Base: ComboBox {
  /// The text: the current one, then the text after each change by the user.
  @MainActor public var text: ControlProperty<String> { base.field.rx.text }

  /// The choices.
  @MainActor public var choices: Binder<[String]> { Binder(base) { $0.choices = $1 } }
}
