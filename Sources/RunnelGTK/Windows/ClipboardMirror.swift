#if GTK
import CGTK

/// The text of the desktop's clipboard, which other programs and the menus of native widgets change
/// too. GTK reads it in the background, so it is kept here.
@MainActor
final class ClipboardMirror {
  private var stored = ""
  private let signals = Signals()
  /// The number of changes of the clipboard. An older answer is ignored.
  private var revision = 0
  /// True while the mirror itself changes the clipboard.
  private var isWriting = false

  var text: String {
    get { stored }
    set {
      stored = newValue
      revision += 1
      guard let clipboard else { return }
      isWriting = true
      gdk_clipboard_set_text(clipboard, newValue)
      isWriting = false
    }
  }

  private var clipboard: OpaquePointer? {
    gdk_display_get_default().flatMap { gdk_display_get_clipboard($0) }
  }

  func begin() {
    guard let clipboard else { return }
    signals.connect(clipboard, "changed") { [weak self] _ in self?.read() }
    read()
  }

  func end() { signals.disconnectAll() }

  private func read() {
    guard let clipboard, !isWriting else { return }
    revision += 1
    let request = Unmanaged.passRetained(Request(self, revision)).toOpaque()
    gdk_clipboard_read_text_async(
      clipboard, nil,
      { clipboard, result, request in
        // Safety: GTK calls this on the main thread only.
        nonisolated(unsafe) let (clipboard, result, request) = (clipboard, result, request)
        MainActor.assumeIsolated {
          guard let clipboard, let request else { return }
          // Safety: the request was retained for this callback, which is called once.
          let object = Unmanaged<Request>.fromOpaque(request).takeRetainedValue()
          let answer = gdk_clipboard_read_text_finish(OpaquePointer(clipboard), result, nil)
          let read = RunnelGTK.text(freeing: answer)
          if let mirror = object.mirror, mirror.revision == object.revision { mirror.stored = read }
        }
      }, request)
  }

  private final class Request {
    weak var mirror: ClipboardMirror?
    let revision: Int

    init(_ mirror: ClipboardMirror, _ revision: Int) {
      self.mirror = mirror
      self.revision = revision
    }
  }
}
#endif
