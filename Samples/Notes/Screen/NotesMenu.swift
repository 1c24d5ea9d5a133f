import RunnelDesk

/// The menus and their key equivalents.
@MainActor
final class NotesMenu {
  let create = MenuItem("New Note", key: "ctrl+n")
  let template = MenuItem("New from Template…", key: "alt+n")
  let today = MenuItem("Today's Note", key: "ctrl+t")
  let rename = MenuItem("Rename…", key: "f2")
  let move = MenuItem("Move to Folder…", key: "alt+o")
  let pin = MenuItem("Pin", key: "alt+p")
  let delete = MenuItem("Delete", key: "ctrl+d")
  let showTag = MenuItem("Show Tag…", key: "alt+g")
  let addTag = MenuItem("Add Tag…", key: "alt+m")
  let external = MenuItem("Edit in $EDITOR", key: "ctrl+o")
  let merge = MenuItem("Merge Conflict…", key: "alt+c")
  let suspend = MenuItem("Suspend", key: "alt+z")
  let quit = MenuItem("Quit", key: "ctrl+q")

  let undo = MenuItem("Undo", key: "ctrl+z")
  let redo = MenuItem("Redo", key: "ctrl+y")
  /// The commands that the view with the focus performs.
  let standard = [
    MenuItem("Cut", key: "ctrl+x", command: .cut), MenuItem("Copy", key: "ctrl+c", command: .copy),
    MenuItem("Paste", key: "ctrl+v", command: .paste),
    MenuItem("Select All", key: "ctrl+a", command: .selectAll),
    MenuItem("Complete Link or Tag", key: "ctrl+space", command: .complete),
  ]
  let checkTask = MenuItem("Check or Uncheck", key: "alt+x")
  let find = MenuItem("Find…", key: "ctrl+f")
  let replace = MenuItem("Replace…", key: "alt+r")
  let findNext = MenuItem("Find Next", key: "f3")
  let findPrevious = MenuItem("Find Previous", key: "shift+f3")
  let goToLine = MenuItem("Go to Line…", key: "ctrl+g")
  let spelling = MenuItem("Check Spelling")
  let misspelled = MenuItem("Next Misspelled Word", key: "f7")

  let openLink = MenuItem("Open Link", key: "alt+enter")
  let back = MenuItem("Back", key: "alt+left")
  let forward = MenuItem("Forward", key: "alt+right")
  let backlinks = MenuItem("Links to This Note", key: "alt+l")

  let next = MenuItem("Next Note", key: "ctrl+j")
  let previous = MenuItem("Previous Note", key: "ctrl+k")
  let search = MenuItem("Search", key: "alt+s")
  let earlier = MenuItem("Earlier Search", key: "alt+up")
  let later = MenuItem("Later Search", key: "alt+down")
  let byTitle = MenuItem("Sort by Title", key: "alt+t")
  let byDate = MenuItem("Sort by Date", key: "alt+d")

  let font = MenuItem("Font…")

  let keys = MenuItem("Keys", key: "f1")
  let hints = MenuItem("Hints")

  /// The commands for a note of the list. It is created before the menus of the bar, which contain the same items.
  private(set) lazy var forNote = Menu(
    "Note", [rename, move, pin, addTag, external, backlinks, merge, delete])

  var bar: MenuBar {
    MenuBar([
      Menu(
        "Note",
        [
          create, template, today, rename, move, pin, addTag, external, delete, merge, .separator,
          suspend, quit,
        ]),
      Menu(
        "Edit",
        [undo, redo, .separator] + standard
          + [
            .separator, checkTask, .separator, find, replace, findNext, findPrevious, goToLine,
            openLink, .separator, spelling, misspelled,
          ]),
      Menu(
        "View",
        [
          next, previous, back, forward, backlinks, .separator, search, showTag, earlier, later,
          .separator, byTitle, byDate,
        ]),
      Menu("Help", [keys]),
    ])
  }

  /// Enables the items for a terminal, or removes them in a window: the desktop shows the keys there, and the hints
  /// are a page of the app.
  func follow(_ host: HostTerminal?) {
    for item in [earlier, later] { item.leavesKeyToText = true }
    suspend.isEnabled = host?.suspend != nil
    if host != nil || suspend.menu == nil { return }
    forNote.items.removeAll { $0 === external }
    for item in [suspend, external] { item.menu?.items.removeAll { $0 === item } }
    assignControlZ(suspends: false)
    keys.title = "Keyboard Shortcuts"
    keys.menu?.items.append(hints)
    byDate.menu?.items += [.separator, font]
  }

  /// Assigns Ctrl+Z to Undo and Alt+Z to Suspend, or in a terminal the other way round.
  func assignControlZ(suspends: Bool) {
    let suspends = suspends && suspend.menu != nil
    undo.keyEquivalent = KeyPress(suspends ? "alt+z" : "ctrl+z")
    suspend.keyEquivalent = KeyPress(suspends ? "ctrl+z" : "alt+z")
  }
}
