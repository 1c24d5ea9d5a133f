#if GTK
import CGTK
import RunnelDesk
import RunnelStreams

extension GTKBackend: FileDialogBackend {
  package func show(
    _ dialog: FileDialog, finish: @escaping @MainActor (String?) -> Void
  ) -> Disposable? {
    guard usesFileDialogsOfDesktop, let application, !application.isTerminated else { return nil }
    let chooser = FileChooser(dialog, in: application, over: windows.last?.widget, finish: finish)
    return Disposable { chooser.end(with: nil) }
  }
}

/// The file dialog of the desktop.
///
/// The desktop asks before a file is replaced. What the delegate refuses is not chosen: the dialog
/// appears again, after the reason.
@MainActor
final class FileChooser {
  private let dialog: FileDialog
  private weak var application: Application?
  let native: OpaquePointer
  private let signals = Signals()
  private var finish: (@MainActor (String?) -> Void)?
  private var ending: Disposable?
  private var question: Disposable?

  init(
    _ dialog: FileDialog, in application: Application, over parent: Widget?,
    finish: @escaping @MainActor (String?) -> Void
  ) {
    self.dialog = dialog
    self.application = application
    self.finish = finish
    let isOpening = dialog.purpose == .open
    native = made(
      gtk_file_chooser_native_new(
        dialog.title, parent.map { cast($0) },
        isOpening ? GTK_FILE_CHOOSER_ACTION_OPEN : GTK_FILE_CHOOSER_ACTION_SAVE, nil, nil))
    gtk_native_dialog_set_modal(cast(native), 1)
    let folder = g_file_new_for_path(dialog.folder)
    gtk_file_chooser_set_current_folder(native, folder, nil)
    g_object_unref(UnsafeMutableRawPointer(folder))
    if case .save(let name) = dialog.purpose { gtk_file_chooser_set_current_name(native, name) }
    signals.connect(native, "response") { [weak self] in self?.respond(to: $0.int(1)) }
    ending = application.rx.terminated.observeNext { [weak self] in self?.end(with: nil) }
    show()
  }

  private func show() {
    GTKBackend.show { gtk_native_dialog_show(cast(native)) }
  }

  private var path: String? {
    guard let file = gtk_file_chooser_get_file(native) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(file)) }
    guard let path = g_file_get_path(file) else { return nil }
    return text(freeing: path)
  }

  private func respond(to response: Int) {
    guard response == Int(GTK_RESPONSE_ACCEPT.rawValue), let path else { return end(with: nil) }
    dialog.message = ""
    let isAccepted =
      accepts(path) && dialog.delegate?.fileDialog(dialog, shouldChoose: path) ?? true
    // The delegate may have closed the dialog.
    guard finish != nil else { return }
    if isAccepted { end(with: path) } else { showAgain() }
  }

  private func accepts(_ path: String) -> Bool {
    dialog.folder = text(freeing: g_path_get_dirname(path))
    if dialog.purpose != .open { return true }
    let isAccepted = dialog.accepts(FileEntry(text(freeing: g_path_get_basename(path))))
    if !isAccepted { dialog.message = "This kind of file cannot be opened." }
    return isAccepted
  }

  /// Shows the dialog again, after the reason why the file was refused.
  private func showAgain() {
    guard !dialog.message.isEmpty, let application else {
      return show()
    }
    let alert = Alert(dialog.title, message: dialog.message)
    question = alert.ask(in: application).observe(succeeded: { [weak self] _ in self?.reappear() })
  }

  private func reappear() {
    if finish != nil { show() }
  }

  /// Closes the dialog.
  func end(with path: String?) {
    guard let finish = exchange(&finish, with: nil) else { return }
    ending?.dispose()
    question?.dispose()
    signals.disconnectAll()
    if DisplayConnection.isOpen {
      gtk_native_dialog_destroy(cast(native))
      g_object_unref(UnsafeMutableRawPointer(native))
    }
    dialog.delegate?.fileDialog(dialog, didCloseWith: path)
    finish(path)
  }
}
#endif
