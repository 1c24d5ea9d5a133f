import Runnel
import RunnelText

#if DBus
import Glibc
import RunnelDBus

/// The notes of a folder for the search of the desktop. The bus starts a process for it when a search begins.
@MainActor
final class NoteProvider: @MainActor DesktopSearchProvider {
  private static let name = "org.runnel.Notes.Search"
  private static let path: ObjectPath = "/org/runnel/Notes/Search"
  /// The number of notes that a search finds. The desktop shows fewer.
  private static let limit = 50

  private let folder: NoteFolder
  /// True when the folder has been read.
  private let isRead = Property(false)
  /// The calls of the desktop.
  private let calls = PushStream<Void>()

  private init(_ folder: Folder) {
    self.folder = NoteFolder(folder)
    self.folder.progress.updates.filter { $0 == nil }.map { _ in true }.take(1)
      .bind(to: isRead)
    // A search creates no folder.
    var information = stat()
    if stat(folder.path, &information) == 0 { self.folder.open() } else { isRead.value = true }
  }

  /// Serves the search until nothing has been searched for a minute, or the bus is lost. Returns the exit
  /// status.
  static func serve(_ folder: Folder) throws -> Int32 {
    let bus = BusConnection(.session, on: .main)
    let provider = NoteProvider(folder)
    let calls = provider.calls.stream
    let outcome = try EventLoop.main.runActivated(as: name, on: bus, calls: calls) { _ in
      bus.export(provider, at: path)
    }
    return outcome.exitCode
  }

  /// The notes whose titles match are first.
  func results(for words: [String], among earlier: [String]?) -> Single<[String], BusError> {
    calls.next(())
    return Single { [isRead] finish in
      isRead.filter { $0 }.take(1).observeNext { [weak self] _ in
        finish(.success(self?.found(by: SearchQuery(words.joined(separator: " "))) ?? []))
      }
    }
  }

  private func found(by query: SearchQuery) -> [String] {
    let found = Array(folder.notes).filter { $0.isFound(by: query) }
      .sorted(by: folder.settings.value.areInOrder)
    let byTitle = found.filter { query.matches(FoldedText($0.title)) }
    let others = found.filter { !query.matches(FoldedText($0.title)) }
    return (byTitle + others).prefix(Self.limit).map(\.id.text)
  }

  func result(_ identifier: String) -> DesktopSearchResult? {
    folder[FileName(identifier)].map {
      DesktopSearchResult($0.title, text: String($0.firstLine), icon: "org.runnel.Notes")
    }
  }

  func open(_ identifier: String, for words: [String]) { start(["open", "--", identifier]) }
  func openSearch(for words: [String]) { start([]) }

  /// Starts the app, which hands the request over if it runs already.
  private func start(_ arguments: [String]) {
    calls.next(())
    let place = ["--window", "--folder", folder.files.folder.path]
    _ = try? ChildProcess("/proc/self/exe", place + arguments, on: .main) {
      ($0.output, $0.errors, $0.group) = (.discarded, .discarded, .own)
    }
  }
}
#else
enum NoteProvider {
  static func serve(_ folder: Folder) throws -> Int32 {
    throw Invocation.UsageError(message: "notes was built without the desktop's bus.")
  }
}
#endif
