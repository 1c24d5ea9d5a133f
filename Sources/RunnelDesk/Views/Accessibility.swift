/// The description of a view for people who do not see it.
///
///     final class Stars: View {
///       var count = 3 { didSet { needsDisplay() } }
///       override var accessibility: Accessibility? {
///         Accessibility(.custom("rating"), label: "Rating", value: "\(count) of 5 stars")
///       }
///     }
///     print(Stars().accessibility?.sentence ?? "")  // Rating, rating: 3 of 5 stars
///
/// A backend reads ``View/accessibility`` of the views, as it reads their other state.
public struct Accessibility: Hashable, Sendable {
  /// The kind of a view.
  public enum Role: Hashable, Sendable {
    /// A question that must be answered.
    case alert
    /// A button.
    case button
    /// An option that is on or off.
    case checkbox
    /// A picture.
    case image
    /// Text that opens something.
    case link
    /// An open menu.
    case menu
    /// A tree of rows.
    case outline
    /// A button that shows one of several choices.
    case popUpButton
    /// The progress of a task.
    case progress
    /// Options, of which one is selected.
    case radioGroup
    /// A number in a range.
    case slider
    /// Text about the state of the application.
    case status
    /// A whole number that is changed step by step.
    case stepper
    /// A setting that is on or off.
    case `switch`
    /// Rows, of which some may be selected.
    case table
    /// Titles, of which the selected one shows its view.
    case tabs
    /// Text that the user only reads.
    case text
    /// Many lines of text that the user edits.
    case textArea
    /// One line of text that the user edits.
    case textField
    /// Another kind, with its name.
    case custom(String)
  }

  /// The kind of the view.
  public var role: Role
  /// The name of the view, such as the title of a button.
  public var label: String
  /// The value of the view, such as the text of a field or the selected row of a table.
  public var value: String
  /// The place in the value, such as the selected text. It is read aloud if it changes while the
  /// value does not.
  public var detail: String

  /// Creates a description.
  public init(_ role: Role, label: String = "", value: String = "", detail: String = "") {
    self.role = role
    self.label = label
    self.value = value
    self.detail = detail
  }

  /// The description as a sentence: "Search, text field: mil".
  public var sentence: String {
    let name = [label, role.name].filter { !$0.isEmpty }.joined(separator: ", ")
    return [name, value].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// Returns the part of the description that has changed; nil if it is the same.
  func change(since old: Accessibility, includingDetail: Bool) -> String? {
    if role != old.role || label != old.label { return sentence }
    if value != old.value { return value.isEmpty ? "empty" : value }
    return detail != old.detail && includingDetail && !detail.isEmpty ? detail : nil
  }
}

extension Accessibility.Role {
  /// The name in a sentence. Text and status have none, because they are only read.
  var name: String {
    switch self {
    case .alert: "alert"
    case .button: "button"
    case .checkbox: "checkbox"
    case .image: "image"
    case .link: "link"
    case .menu: "menu"
    case .outline: "outline"
    case .popUpButton: "pop-up button"
    case .progress: "progress"
    case .radioGroup: "radio group"
    case .slider: "slider"
    case .status, .text: ""
    case .stepper: "stepper"
    case .switch: "switch"
    case .table: "table"
    case .tabs: "tabs"
    case .textArea: "text area"
    case .textField: "text field"
    case .custom(let name): name
    }
  }
}

extension [String] {
  /// The text at an index and its place: "Home, 2 of 3".
  func place(of index: Int?) -> String {
    guard let index, indices.contains(index) else { return "nothing selected" }
    return "\(self[index]), \(index + 1) of \(count)"
  }
}
