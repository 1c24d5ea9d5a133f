/// A choice that a view offers at the place where its context menu opens, such as a word that may be meant.
struct ContextChoice {
  let title: String
  /// The action of the choice; nil if it only informs, or is a line between other choices.
  let action: (@MainActor () -> Void)?

  init(_ title: String, action: (@MainActor () -> Void)? = nil) {
    self.title = title
    self.action = action
  }

  /// A line between other choices.
  static let separator = ContextChoice("")
}
