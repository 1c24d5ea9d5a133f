import RunnelProxies
import RunnelStreams

/// A text view whose delegate is notified of editing and may refuse a change.
@MainActor
final class Notepad: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any NotepadDelegate)?
  private(set) var text = ""

  func focus() { delegate?.notepadDidBeginEditing(self) }

  func replace(_ range: Range<Int>, with replacement: String) {
    let isAllowed = delegate?.notepad(self, shouldReplace: range, with: replacement) ?? true
    guard isAllowed else { return }
    let start = text.index(text.startIndex, offsetBy: range.lowerBound)
    let end = text.index(text.startIndex, offsetBy: range.upperBound)
    text.replaceSubrange(start..<end, with: replacement)
  }
}

extension Notepad {
  var rDelegate: NotepadDelegateProxy { proxy(for: \.delegate) }

  /// A stream that sends an element when editing begins.
  var editingBegan: EventStream<Void, Never> {
    rDelegate.stream(\.notepadDidBeginEditing) { (push: PushStream<Void>, _: Notepad) in
      push.next(())
    }
  }

  /// A stream of the replacements. It allows those without a line break.
  var replacements: EventStream<String, Never> {
    rDelegate.stream(\.notepad_shouldReplace_with) {
      (push: PushStream<String>, _: Notepad, _: Range<Int>, replacement: String) -> Bool in
      push.next(replacement)
      return replacement != "\n"
    }
  }
}
