#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  @MainActor
  @Suite struct FileChooserTests {
    private final class Refusal: FileDialogDelegate {
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

    private let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID())")
    private let app: TestApp
    private let delegate = Refusal()

    init() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      app = try TestApp(Button("OK"))
      // GTK's own dialog does this on a busy machine.
      Warnings.expected.withLock { $0 = "without a current allocation" }
    }

    private func end() {
      app.end()
      Warnings.expected.withLock { $0 = nil }
      try? FileManager.default.removeItem(at: folder)
    }

    private func chooser(_ purpose: FileDialog.Purpose) -> (FileChooser, FileDialog) {
      let dialog = FileDialog(purpose, folder: folder.path())
      dialog.delegate = delegate
      let parent = app.backend.windows.first?.widget
      return (FileChooser(dialog, in: app.application, over: parent, finish: { _ in }), dialog)
    }

    private func respond(_ chooser: FileChooser, _ response: GtkResponseType) {
      app.settle()
      // GTK hides the dialog before it reports the answer.
      gtk_native_dialog_hide(cast(chooser.native))
      runnel_respond(UnsafeMutableRawPointer(chooser.native), response.rawValue)
      app.settle()
    }

    private func isShown(_ chooser: FileChooser) -> Bool {
      Bool(gtk_native_dialog_get_visible(cast(chooser.native)))
    }

    @Test func aChosenPathIsReported() throws {
      defer { end() }
      delegate.agrees = true
      let (chooser, dialog) = chooser(.save(name: "List.txt"))
      app.settle()
      #expect(isShown(chooser))
      respond(chooser, GTK_RESPONSE_ACCEPT)
      #expect(delegate.closed == [folder.appending(path: "List.txt").path()])
      #expect(dialog.folder + "/" == folder.path() + "/")
      // Only once.
      chooser.end(with: "x")
      #expect(delegate.closed.count == 1)
    }

    @Test func aRefusedPathKeepsTheDialogOpen() throws {
      defer { end() }
      let (chooser, _) = chooser(.save(name: "List.txt"))
      respond(chooser, GTK_RESPONSE_ACCEPT)
      #expect(delegate.isAsked && delegate.closed == [] && isShown(chooser))
      delegate.message = "Choose another one."
      respond(chooser, GTK_RESPONSE_ACCEPT)
      #expect(app.lines.contains { $0.contains("Choose another one.") })
      try app.press("enter")
      #expect(delegate.closed == [] && isShown(chooser) && app.backend.windows.count == 1)
      respond(chooser, GTK_RESPONSE_CANCEL)
      #expect(delegate.closed == [nil])
    }

    @Test func theEndOfTheApplicationClosesTheDialog() throws {
      let dialog = FileDialog(.open, folder: folder.path())
      dialog.delegate = delegate
      var paths: [String?] = []
      let asking = dialog.choose(in: app.application).observe(succeeded: { paths.append($0) })
      app.settle()
      #expect(app.backend.windows.count == 1 && paths.isEmpty)
      end()
      #expect(paths == [nil] && delegate.closed == [nil])
      asking.dispose()
    }

    @Test func disposalClosesTheDialog() throws {
      defer { end() }
      let dialog = FileDialog(.open, folder: folder.path())
      dialog.delegate = delegate
      let asking = dialog.choose(in: app.application).observe(succeeded: { _ in })
      app.settle()
      asking.dispose()
      #expect(delegate.closed == [nil])
      app.backend.usesFileDialogsOfDesktop = false
      let other = dialog.choose(in: app.application).observe(succeeded: { _ in })
      app.settle()
      #expect(app.backend.windows.count == 2)
      other.dispose()
    }
  }
}
#endif
