/// A native widget that shows the text of a ``TextView``.
@MainActor
package protocol NativeText: AnyObject {
  /// Follows an edit of the text; nil if the view shows another text.
  func textWasEdited(_ edit: TextEdit?)

  /// Moves the caret by rows as the widget shows them. Returns false if the view should move it.
  func move(_ movement: Movement, extends: Bool) -> Bool
}
