import RunnelStreams

// The choice of a file or folder in a dialog.
extension FileDialogView {
  /// Proposes the name of the selected file when saving.
  func follow(_ entry: FileEntry?) {
    if isSaving, table.hasFocus, let entry, !entry.isFolder {
      shownName = ShownName(entry.name, in: name)
    }
  }

  /// Returns the path of a name that the user has not typed. It is used as it is, unless it is a path.
  func path(ofName name: String) -> FilePath {
    let isName = !["", ".", ".."].contains(name) && !name.contains("/")
    return isName ? folder.appending(name) : typedPath(name)
  }

  func typedPath(_ text: String) -> FilePath {
    FilePath(text, in: folder, home: dialog.listing.home)
  }

  func open(_ entry: FileEntry) {
    if entry == Self.parent { return goToParent() }
    choose(folder.appending(entry.name))
  }

  /// Chooses the name in the field when saving, or else opens the selected entry.
  func confirmSelection() {
    if isSaving && !table.isFirstResponder {
      if name.text.isEmpty {
        dialog.message = "Type a name for the file."
      } else {
        choose(shownName?.name(in: name).map(path(ofName:)) ?? typedPath(name.text))
      }
    } else if let entry = rows?.selectedItem.value {
      open(entry)
    }
  }

  /// Goes to a folder, or chooses a file.
  func choose(_ target: FilePath) {
    dialog.message = ""
    do {
      let entry =
        target.isRoot ? FileEntry("", isFolder: true) : try dialog.listing.entry(at: target.text)
      switch entry {
      case let entry? where entry.isFolder: go(to: target)
      case .some: if isSaving { askToReplace(target) } else { close(with: target) }
      case nil:
        if isSaving { save(target) } else { dialog.message = "\"\(target.text)\" does not exist." }
      }
    } catch {
      dialog.message = error.description
    }
  }

  /// Chooses a file that does not exist yet, if its folder does.
  private func save(_ target: FilePath) {
    do {
      _ = try dialog.listing.entries(of: target.folder.text)
      close(with: target)
    } catch {
      dialog.message = error.description
    }
  }

  private func askToReplace(_ target: FilePath) {
    guard let application = window?.application else { return }
    let alert = Alert("Replace \"\(target.name)\"?", message: "The file exists already.")
    alert.buttons = [.cancel("Keep"), .destructive("Replace")]
    question = alert.ask(in: application).observe(succeeded: { [weak self] button in
      if button?.role == .destructive { self?.close(with: target) }
    })
  }

  private func close(with target: FilePath) {
    guard dialog.delegate?.fileDialog(dialog, shouldChoose: target.text) ?? true, let window,
      window.application != nil
    else { return }
    chosenPath = target.text
    window.close()
  }
}
