import Runnel

#if DBus
import Glibc
import RunnelDBus

/// The connection of the app to the desktop: one process for each folder, drafts that are saved before the
/// machine sleeps or shuts down, and notifications of conflicts.
///
/// Without a bus, it does nothing.
@MainActor
final class DesktopSession {
  private let folder: Folder
  private let session = BusConnection(.session, on: .main)
  private let system = BusConnection(.system, on: .main)
  /// The requests of other processes that came before there was a controller.
  private var waiting: [Note.ID?] = []
  private weak var controller: NotesController?
  private var bag = DisposeBag()

  init(_ folder: Folder) { self.folder = folder }

  /// The name of the process on the bus; nil if the folder cannot be used. It names the folder itself, so
  /// that all paths to the folder give the same name.
  private var name: String? {
    var information = stat()
    try? folder.make()
    if stat(folder.path, &information) != 0 { return nil }
    return "org.runnel.Notes.Folder-\(information.st_dev)-\(information.st_ino)"
  }

  /// Returns true if another process shows the folder. It has shown the note, then. Otherwise this process
  /// becomes the one that receives the requests of others. A process that does not answer within two
  /// seconds, because it is stopped, counts as none.
  func isHandedOver(opening note: Note.ID?) -> Bool {
    guard let name else { return false }
    let request = note.map { SingleInstance.Request.arguments(["open", $0.text], folder: "/") }
    return SingleInstance(name, on: session).handOver(request ?? .activate, in: bag) {
      [weak self] in self?.receive($0)
    }
  }

  private func receive(_ request: SingleInstance.Request) {
    guard case .arguments(let words, _) = request, words.count == 2 else { return show(nil) }
    show(FileName(words[1]))
  }

  private func show(_ note: Note.ID?) {
    guard let controller else { return waiting.append(note) }
    if let note { controller.reveal(note) }
    controller.application.backend.raise()
  }

  /// Connects the app to the desktop.
  func connect(_ controller: NotesController) {
    self.controller = controller
    for note in exchange(&waiting, with: []) { show(note) }
    let folder = controller.folder
    let login = LoginManager(of: "Notes", on: system)
    let reason = "Notes saves text."
    let save = {
      folder.save()
      return folder.files.idle()
    }
    EventStream.merge(
      login.delayingSleep(because: reason, until: save).map { _ in },
      login.delayingShutdown(because: reason, until: save).map { _ in }
    ).observe(failed: { _ in }).disposed(by: bag)
    folder.bus.events(NoteConflict.self).observeNext(weak: self) { $0.notify($1) }
      .disposed(by: bag)
  }

  /// Shows a notification, whose button shows the text of the other program.
  private func notify(_ conflict: NoteConflict) {
    var notification = DesktopNotification(
      "\(conflict.id.stem) was changed twice",
      text:
        "Another program has changed it at the same time. Its text is in \(conflict.copy.stem).",
      icon: "org.runnel.Notes")
    notification.actions = [
      .init(DesktopNotification.Action.defaultKey, "Open"), .init("open", "Open"),
    ]
    DesktopNotifications(of: "Notes", desktopEntry: "org.runnel.Notes", on: session)
      .show(notification).observe(
        next: { [weak self] event in
          if case .invoked = event { self?.show(conflict.copy) }
        },
        failed: { _ in }
      ).disposed(by: bag)
  }

  /// Withdraws notifications, and leaves requests to the next process.
  func end() { bag = DisposeBag() }
}
#else
/// The connection of the app to the desktop, which needs the trait DBus.
@MainActor
struct DesktopSession {
  init?(_ folder: Folder) { return nil }

  func isHandedOver(opening note: Note.ID?) -> Bool { false }
  func connect(_ controller: NotesController) {}
  func end() {}
}
#endif
