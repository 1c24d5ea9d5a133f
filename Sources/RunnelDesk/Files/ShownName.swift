/// A name or path and the text with which a field shows it: a field shows spaces for line breaks.
@MainActor
struct ShownName {
  private let name: String
  private let text: String

  /// Shows a name in a field.
  init(_ name: String, in field: TextField) {
    field.text = name
    self.name = name
    text = field.text
  }

  /// The name, unless the user has changed the text.
  func name(in field: TextField) -> String? { field.text == text ? name : nil }
}
