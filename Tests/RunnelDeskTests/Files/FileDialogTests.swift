import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Folders in memory, some of which cannot be listed.
@MainActor
final class FakeListing: FileListing {
  let home = "/home"
  /// The entries by folder.
  var folders: [String: [FileEntry]] = [
    "/": [FileEntry("home", isFolder: true), FileEntry("root", isFolder: true)],
    "/home": [
      FileEntry("zoo.txt"), FileEntry("Art", isFolder: true), FileEntry("b.txt"),
      FileEntry(".hidden"), FileEntry("a.md"),
    ],
    "/home/Art": [FileEntry("漢字.txt")],
  ]

  func entries(of folder: String) throws(FileListingError) -> [FileEntry] {
    if folder == "/root" { throw FileListingError("no permission") }
    guard let entries = folders[folder] else { throw FileListingError("\(folder) is missing") }
    return entries
  }

  func entry(at path: String) throws(FileListingError) -> FileEntry? {
    let parts = path.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    return folders[folder]?.first { $0.name == parts.last.map(String.init) }
  }

  func size(of path: String) -> Int? { path.hasSuffix(".md") ? 12_345 : 7 }

  func makeFolder(at path: String) throws(FileListingError) {
    if folders[path] != nil { throw FileListingError("\(path) exists already") }
    folders[path] = []
    let parts = path.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    folders[folder, default: []].append(FileEntry(String(parts.last ?? ""), isFolder: true))
  }
}

@MainActor
@Suite struct FileDialogTests {
  private let listing = FakeListing()
  private let desk = Desk(TextField(placeholder: "behind"), width: 44, height: 14)

  private func dialog(_ purpose: FileDialog.Purpose = .open) -> FileDialog {
    FileDialog(purpose, folder: "/home", listing: listing)
  }

  private func choose(_ dialog: FileDialog) -> Recorder<String, Never> {
    dialog.choose(in: desk.application).stream.record()
  }

  private func type(_ text: String, _ keys: String...) {
    desk.backend.type(text)
    for key in keys { desk.backend.press(key) }
  }

  // MARK: - Appearance

  @Test func showsFoldersFirstAndNoHiddenFiles() {
    let paths = choose(dialog())
    #expect(
      desk.text == """
        ╭─ Open ───────────────────────────────────╮
        │ Folder /home                             │
        │ Name                                Size │
        │ ../                                      │
        │ Art/                                     │
        │ a.md                               12 kB │
        │ b.txt                                7 B │
        │ zoo.txt                              7 B │
        │                                          │
        │                                          │
        │                                          │
        │ Filter                                   │
        │ [ New folder ]       [ Cancel ] < Open > │
        ╰──────────────────────────────────────────╯
        """)
    desk.press("escape")
    #expect(paths.elements == [] && paths.isCompleted)
    #expect(desk.text == "behind")
  }

  @Test(arguments: [(44, 6), (20, 4), (10, 3), (1, 1), (0, 0)])
  func smallScreensShowWhatFits(width: Int, height: Int) {
    let desk = Desk(View(), width: width, height: height)
    let paths = dialog(.save(name: "x")).choose(in: desk.application).stream.record()
    #expect(desk.lines.count == height)
    desk.backend.type("new.txt")
    desk.press("enter")
    #expect(paths.elements == ["/home/new.txt"])
  }

  // MARK: - Opening

  @Test func keysOpenFoldersAndAFile() {
    let dialog = dialog()
    let paths = choose(dialog)
    desk.press("down", "enter")
    #expect(dialog.folder == "/home/Art")
    #expect(desk.text.contains("│ 漢字.txt"))
    desk.press("backspace")
    #expect(dialog.folder == "/home")
    // The folder that was left is selected.
    desk.press("enter", "enter", "b", "enter")
    #expect(paths.elements == ["/home/b.txt"] && paths.isCompleted)
  }

  @Test(arguments: [
    ("b.txt", "/home/b.txt"), ("/home/a.md", "/home/a.md"), ("~/zoo.txt", "/home/zoo.txt"),
    ("Art/../Art/./漢字.txt", "/home/Art/漢字.txt"), ("~", nil), ("..", nil), ("none", nil),
    ("", nil), ("/", nil),
  ])
  func pathFieldTakesFilesAndFolders(text: String, expected: String?) {
    let paths = choose(dialog())
    desk.press("backtab")
    type(text, "enter")
    #expect(paths.elements == [expected].compactMap { $0 })
  }

  @Test func filterShowsMatchingNames() {
    let dialog = dialog()
    dialog.accepts = { !$0.name.hasSuffix(".md") }
    let paths = choose(dialog)
    #expect(!desk.text.contains("a.md"))
    desk.press("tab")
    type("t")
    #expect(
      desk.lines[3...6].map { String($0.prefix(10)) } == [
        "│ Art/    ", "│ b.txt   ", "│ zoo.txt ", "│         ",
      ])
    type("", "down", "enter")
    #expect(paths.elements == ["/home/b.txt"])
    let hidden = choose(dialog)
    desk.press("tab")
    type(".h", "enter")
    #expect(hidden.elements == ["/home/.hidden"])
  }

  // MARK: - Saving

  @Test func nameIsSavedInTheFolder() {
    let paths = choose(dialog(.save(name: "List.txt")))
    // The stem of the proposed name is selected.
    type("New", "enter")
    #expect(paths.elements == ["/home/New.txt"])
  }

  @Test func replacingAFileIsAsked() {
    let paths = choose(dialog(.save(name: "b.txt")))
    desk.press("enter")
    #expect(desk.text.contains("Replace \"b.txt\"?"))
    desk.press("escape")
    #expect(paths.elements == [])
    desk.press("enter", "tab", "enter")
    #expect(paths.elements == ["/home/b.txt"])
  }

  @Test func missingNameAndFolderAreSaid() {
    let paths = choose(dialog(.save(name: "")))
    desk.press("enter")
    #expect(desk.text.contains("Type a name for the file."))
    type("none/x", "enter")
    #expect(desk.text.contains("/home/none is missing"))
    desk.press("ctrl+u")
    type("Art", "enter")
    #expect(desk.text.contains("Folder /home/Art"))
    #expect(paths.elements == [])
  }

  // MARK: - New folders

  @Test func newFolderIsCreatedAndSelected() {
    let dialog = dialog()
    let paths = choose(dialog)
    desk.backend.click("New folder")
    type("Böse", "enter")
    #expect(listing.folders["/home/Böse"] == [])
    #expect(desk.text.contains("Böse/"))
    desk.backend.click("New folder")
    type("Art", "enter")
    #expect(desk.text.contains("/home/Art exists already"))
    desk.backend.click("New folder")
    desk.press("escape")
    #expect(paths.elements == [])
  }

  // MARK: - Errors and delegates

  @Test func foldersWithoutPermissionStayClosed() {
    let dialog = dialog()
    _ = choose(dialog)
    desk.press("backspace", "down", "enter")
    #expect(dialog.folder == "/")
    #expect(desk.text.contains("no permission"))
    desk.press("up", "enter")
    #expect(dialog.folder == "/home" && !desk.text.contains("no permission"))
  }

  @Test func vanishedFilesAndFoldersAreSaid() {
    let dialog = dialog()
    let paths = choose(dialog)
    listing.folders["/home"] = [FileEntry("Art", isFolder: true)]
    listing.folders["/home/Art"] = nil
    desk.press("end", "enter")
    #expect(desk.text.contains("\"/home/zoo.txt\" does not exist."))
    desk.press("home", "down", "enter")
    #expect(desk.text.contains("/home/Art is missing") && dialog.folder == "/home")
    #expect(paths.elements == [])
  }

  @Test func missingStartFolderIsSaidAndCanBeLeft() {
    let dialog = FileDialog(folder: "/gone", listing: listing)
    let paths = choose(dialog)
    #expect(desk.text.contains("/gone is missing"))
    desk.press("backtab")
    type("/home/b.txt", "enter")
    #expect(paths.elements == ["/home/b.txt"])
  }

  /// The list is empty, but Backspace and a click on ".." lead to the parent folder.
  @Test(arguments: ["backspace", "enter"])
  func unreadableStartFolderCanBeLeft(key: String) {
    let dialog = FileDialog(folder: "/root", listing: listing)
    _ = choose(dialog)
    #expect(desk.text.contains("no permission"))
    #expect(desk.lines[1].hasPrefix("│ Folder /root "))
    #expect(desk.lines[3].hasPrefix("│ ../ "))
    desk.press(key)
    #expect(dialog.folder == "/" && !desk.text.contains("no permission"))
    #expect(desk.text.contains("home/"))
  }

  /// A message that the program has set before the dialog opens is shown with it.
  @Test(arguments: ["/home", "/root"])
  func messageOfTheProgramIsShownAtFirst(folder: String) {
    let dialog = FileDialog(folder: folder, listing: listing)
    dialog.message = "Choose a list."
    _ = choose(dialog)
    #expect(desk.text.contains("Choose a list."))
    #expect(desk.text.contains("no permission") == (folder == "/root"))
    desk.press("escape")
    // An old message does not appear again.
    _ = choose(dialog)
    #expect(!desk.text.contains("Choose a list."))
  }

  // MARK: - Unusual names

  /// The field shows a space for a line break, and "~" for a file of this name.
  @Test(arguments: ["a\nb.txt", "~", "~x", "a\r\nb", " ", "\t"])
  func proposedNameIsUsedAsItIs(name: String) {
    let paths = choose(dialog(.save(name: name)))
    desk.press("enter")
    #expect(paths.elements == ["/home/\(name)"])
  }

  @Test(arguments: [("~/n.txt", "/home/n.txt"), ("Art/n.txt", "/home/Art/n.txt")])
  func proposedPathIsResolved(name: String, expected: String) {
    let paths = choose(dialog(.save(name: name)))
    desk.press("enter")
    #expect(paths.elements == [expected])
  }

  @Test func proposedNameFollowsTheFolder() {
    let paths = choose(dialog(.save(name: "a\nb")))
    desk.backend.click("Art/")
    desk.press("enter", "tab", "tab")
    #expect(desk.text.contains("Folder /home/Art"))
    desk.press("enter")
    #expect(paths.elements == ["/home/Art/a\nb"])
  }

  @Test func selectedNamesWithLineBreaksAreReplaced() {
    listing.folders["/home"]?.append(FileEntry("m\nm"))
    listing.folders["/home"]?.append(FileEntry("~"))
    let paths = choose(dialog(.save(name: "x")))
    desk.press("backtab", "backtab")
    desk.press("m", "tab", "tab", "enter")
    #expect(desk.text.contains("Replace \"m"))
    desk.press("tab", "enter")
    #expect(paths.elements == ["/home/m\nm"])
    // A changed name is a new one.
    let others = choose(dialog(.save(name: "m\nm")))
    desk.press("end")
    type("2", "enter")
    #expect(others.elements == ["/home/m m2"])
  }

  @Test func foldersWithLineBreaksCanBeShownAndOpened() {
    listing.folders["/home"]?.append(FileEntry("0\n0", isFolder: true))
    listing.folders["/home/0\n0"] = [FileEntry("in.txt")]
    let dialog = dialog()
    let paths = choose(dialog)
    desk.press("0", "enter")
    #expect(dialog.folder == "/home/0\n0" && desk.text.contains("in.txt"))
    // Return in the unchanged field shows the same folder.
    desk.press("backtab", "enter")
    #expect(dialog.folder == "/home/0\n0" && !desk.text.contains("does not exist"))
    desk.scheduler.advance(by: .seconds(9))
    desk.press("tab", "i", "enter")
    #expect(paths.elements == ["/home/0\n0/in.txt"])
  }

  @Test func newFolderCanBeNamedLikeTheHomeFolder() {
    _ = choose(dialog())
    desk.backend.click("New folder")
    type("~", "enter")
    #expect(listing.folders["/home/~"] == [])
  }

  @Test func delegateRefusesAndIsNotified() {
    let dialog = dialog()
    var agrees = false
    dialog.rDelegate.answer(\.fileDialog_shouldChoose) { dialog, path in
      dialog.message = "not \(path)"
      return agrees
    }
    let closed = dialog.rDelegate.stream(\.fileDialog_didCloseWith).map { $1 }.record()
    let paths = choose(dialog)
    desk.press("end", "enter")
    #expect(desk.text.contains("not /home/zoo.txt") && paths.elements == [])
    agrees = true
    desk.press("enter")
    #expect(paths.elements == ["/home/zoo.txt"] && closed.elements == ["/home/zoo.txt"])
  }

  @Test func delegateMayCloseTheDialogWhileAsked() {
    let dialog = dialog()
    let answer = dialog.choose(in: desk.application).stream.record()
    dialog.rDelegate.answer(\.fileDialog_shouldChoose) { [desk] _, _ in
      desk.application.keyWindow?.close()
      return true
    }
    desk.press("end", "enter")
    #expect(answer.elements == [] && answer.isCompleted)
  }

  @Test func dialogIsReadAloud() {
    _ = choose(dialog())
    #expect(desk.backend.readLines().last == "Files, table: ../, row 1 of 5")
  }
}
