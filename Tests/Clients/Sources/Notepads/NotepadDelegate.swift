import RunnelProxies
import RunnelStreams

/// An internal protocol of a library, in a file of its own, with no conformer in the module.
@Proxied
@MainActor
protocol NotepadDelegate: AnyObject {
  func notepadDidBeginEditing(_ notepad: Notepad)
  func notepad(
    _ notepad: Notepad, shouldReplace range: Range<Int>, with replacement: String
  ) -> Bool
}
