import RunnelProxies
import RunnelStreams

/// A delegate that can refuse a file that the user chooses, and is notified when the dialog closes.
@Proxied
@MainActor
public protocol FileDialogDelegate: AnyObject {
  /// Returns true if the user may choose this path. The dialog stays open otherwise; set
  /// ``FileDialog/message`` to the reason.
  @Default(true) func fileDialog(_ dialog: FileDialog, shouldChoose path: String) -> Bool
  /// Called when the dialog closes. `path` is nil if it closes without a choice.
  @Default func fileDialog(_ dialog: FileDialog, didCloseWith path: String?)
}

/// A dialog in which the user chooses a file to open, or a place to save one.
///
///     let dialog = FileDialog(.save(name: "List.txt"))
///     dialog.choose(in: application).observe(succeeded: { path in show(path ?? "cancelled") })
///
/// Return opens the selected folder or file, Backspace goes to the parent folder, and typed letters
/// select an entry. The field at the top accepts a path. The filter shows the names that contain its
/// text; names that begin with a dot are shown if the filter begins with one. Before a file is
/// replaced, the dialog asks. Errors are shown in the dialog.
@MainActor
public final class FileDialog: ProxyHost {
  /// The purpose of the dialog.
  public enum Purpose: Hashable, Sendable {
    /// To choose an existing file.
    case open
    /// To choose a place for a file, with a proposed name.
    case save(name: String)
  }

  /// The store of the dialog's proxies.
  public let proxies = ProxyStore()

  /// The object that is asked and notified when the user chooses.
  public weak var delegate: (any FileDialogDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: FileDialogDelegateProxy { proxy(for: \.delegate) }

  /// The purpose of the dialog.
  public let purpose: Purpose
  /// The title of the window.
  public var title: String
  /// The folder that is shown at first, and later the folder that the user has gone to.
  public package(set) var folder: String
  /// A closure that returns true for the files that are shown. Folders are always shown.
  public var accepts: (FileEntry) -> Bool = { _ in true } {
    // The old closure is released after the assignment.
    didSet { withExtendedLifetime(oldValue) {} }
  }
  /// The folders and files that the dialog shows.
  public let listing: any FileListing
  /// A message that the dialog shows, such as the reason why a file cannot be chosen; empty for
  /// none. It disappears with the next action. A message that is set before the dialog opens is shown
  /// at first.
  public var message = "" { didSet { view?.show(message) } }

  private weak var view: FileDialogView?

  /// Creates a dialog. It begins in the current folder of the process, unless a folder is given.
  public init(
    _ purpose: Purpose = .open, folder: String? = nil, listing: (any FileListing)? = nil
  ) {
    self.purpose = purpose
    let listing = listing ?? DiskListing()
    self.listing = listing
    let start = FilePath(DiskListing.currentFolder, home: "/")
    self.folder = folder.map { FilePath($0, in: start, home: listing.home).text } ?? start.text
    title = purpose == .open ? "Open" : "Save"
  }

  /// Shows the dialog, and sends the path that the user chooses. Completes without a path if the
  /// user cancels, or the dialog closes in another way.
  ///
  /// *Disposal*: closes the dialog.
  public func choose(in application: Application) -> Maybe<String, Never> {
    Maybe { finish in
      if self.listing is DiskListing, let backend = application.backend as? any FileDialogBackend,
        let closing = backend.show(self, finish: { finish(.success($0)) })
      {
        return closing
      }
      let view = FileDialogView(self) { finish(.success($0)) }
      self.view = view
      let window = Window(title: self.title, style: .dialog, content: view)
      view.present(window, in: application)
      return Disposable { [weak window] in window?.close() }
    }
  }
}
