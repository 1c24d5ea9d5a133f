#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

/// An application that lets the user choose files.
@MainActor
private struct Files {
  final class Refusal: FileDialogDelegate {
    var isAsked = false
    var message = ""
    var agrees = false
    var closed: [String?] = []

    func fileDialog(_ dialog: FileDialog, shouldChoose path: String) -> Bool {
      isAsked = true
      dialog.message = agrees ? "" : message
      return agrees
    }
    func fileDialog(_ dialog: FileDialog, didCloseWith path: String?) { closed.append(path) }
  }

  let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())")
  let app: TestApp
  let delegate = Refusal()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    app = try TestApp(Button("OK"))
    // GTK's own dialog does this on a busy machine.
    Warnings.expected.withLock { $0 = "without a current allocation" }
  }

  func end() {
    app.end()
    Warnings.expected.withLock { $0 = nil }
    try? FileManager.default.removeItem(at: folder)
  }

  func chooser(_ purpose: FileDialog.Purpose) -> (FileChooser, FileDialog) {
    let dialog = FileDialog(purpose, folder: folder.path())
    dialog.delegate = delegate
    let parent = app.backend.windows.first?.widget
    return (FileChooser(dialog, in: app.application, over: parent, finish: { _ in }), dialog)
  }

  func respond(_ chooser: FileChooser, _ response: GtkResponseType) {
    app.settle()
    // GTK hides the dialog before it reports the answer.
    gtk_native_dialog_hide(cast(chooser.native))
    runnel_respond(UnsafeMutableRawPointer(chooser.native), response.rawValue)
    app.settle()
  }

  func isShown(_ chooser: FileChooser) -> Bool {
    Bool(gtk_native_dialog_get_visible(cast(chooser.native)))
  }
}

extension GTKTests {
  @MainActor
  @Suite struct FileChooserTests {
    @Test func aChosenPathIsReported() throws {
      let files = try Files()
      defer { files.end() }
      files.delegate.agrees = true
      let (chooser, dialog) = files.chooser(.save(name: "List.txt"))
      files.app.settle()
      #expect(files.isShown(chooser))
      files.respond(chooser, GTK_RESPONSE_ACCEPT)
      #expect(files.delegate.closed == [files.folder.appending(path: "List.txt").path()])
      #expect(dialog.folder + "/" == files.folder.path() + "/")
      // Only once.
      chooser.end(with: "x")
      #expect(files.delegate.closed.count == 1)
    }

    @Test func aRefusedPathKeepsTheDialogOpen() throws {
      let files = try Files()
      defer { files.end() }
      let (chooser, _) = files.chooser(.save(name: "List.txt"))
      files.respond(chooser, GTK_RESPONSE_ACCEPT)
      #expect(files.delegate.isAsked && files.delegate.closed == [] && files.isShown(chooser))
      files.delegate.message = "Choose another one."
      files.respond(chooser, GTK_RESPONSE_ACCEPT)
      #expect(files.app.lines.contains { $0.contains("Choose another one.") })
      try files.app.press("enter")
      #expect(
        files.delegate.closed == [] && files.isShown(chooser)
          && files.app.backend.windows.count == 1)
      files.respond(chooser, GTK_RESPONSE_CANCEL)
      #expect(files.delegate.closed == [nil])
    }

    @Test func theEndOfTheApplicationClosesTheDialog() throws {
      let files = try Files()
      let dialog = FileDialog(.open, folder: files.folder.path())
      dialog.delegate = files.delegate
      var paths: [String?] = []
      let asking = dialog.choose(in: files.app.application).observe(succeeded: { paths.append($0) })
      files.app.settle()
      #expect(files.app.backend.windows.count == 1 && paths.isEmpty)
      files.end()
      #expect(paths == [nil] && files.delegate.closed == [nil])
      asking.dispose()
    }

    @Test func disposalClosesTheDialog() throws {
      let files = try Files()
      defer { files.end() }
      let dialog = FileDialog(.open, folder: files.folder.path())
      dialog.delegate = files.delegate
      let asking = dialog.choose(in: files.app.application).observe(succeeded: { _ in })
      files.app.settle()
      asking.dispose()
      #expect(files.delegate.closed == [nil])
      files.app.backend.usesFileDialogsOfDesktop = false
      let other = dialog.choose(in: files.app.application).observe(succeeded: { _ in })
      files.app.settle()
      #expect(files.app.backend.windows.count == 2)
      other.dispose()
    }
  }
}
#endif
