/// A control that contains a ``TextField`` and completes its behavior. The delegate of the field is
/// asked first.
@MainActor
protocol TextFieldHelper: AnyObject {
  /// Performs a command that the delegate of the field has not handled. Returns true if the command
  /// was handled.
  func helpPerforming(_ command: Command) -> Bool
  /// Returns a completion of a text for which the delegate of the field has none.
  func completion(of text: String) -> String?
}
