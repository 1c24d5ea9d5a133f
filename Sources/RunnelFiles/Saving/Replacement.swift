import Glibc

/// One save that replaces a file.
///
/// The new contents are written to a provisional name in the same folder, and exchanged with the
/// file in one step. The old file is compared only afterwards, when no process can change it by its
/// name. If its contents are unexpected, it is kept under another name. A link is treated in the
/// same way and never followed.
struct Replacement {
  /// The number of times that other processes may delete and create the file between two steps.
  private static let maximumAttempts = 100
  /// The error if the file has unexpected contents that must stay in place.
  static let changed = SystemError(ESTALE)

  private let name: String
  private let folder: OpenFolder
  private let old: [UInt8]
  private let new: [UInt8]
  private let exchanging: String
  private let keepsCopies: Bool

  /// Creates a save of new contents over old ones. Unexpected contents are kept as a copy if
  /// `keepsCopies` is true; otherwise the save fails.
  init(
    of name: String, in folder: OpenFolder, from old: [UInt8], to new: [UInt8],
    keepingCopies keepsCopies: Bool = true
  ) {
    self.name = name
    self.folder = folder
    self.old = old
    self.new = new
    self.keepsCopies = keepsCopies
    exchanging = ProvisionalName.exchanging(old, for: new, of: name)
  }

  /// Returns the name of the copy of the old file, if one was kept.
  func make() throws(SystemError) -> String? {
    let original = try folder.status(of: name)
    var rights: FileRights?
    if let original, !original.isLink {
      guard original.isFile else { throw SystemError(EISDIR) }
      try folder.checkWritable(name)
      rights = try folder.rights(to: name, original)
    }
    let unfinished = ProvisionalName.unfinished()
    // The rights of a link's replacement are unknown, so only the owner may read it.
    let mode: mode_t = original?.isLink == true ? 0o600 : 0o666
    try folder.makeFile(unfinished, new, like: rights, mode: mode)
    do throws(SystemError) {
      try folder.move(unfinished, to: exchanging)
    } catch {
      try? folder.remove(unfinished)
      throw error
    }
    return try exchange()
  }

  private func exchange() throws(SystemError) -> String? {
    for _ in 0..<Self.maximumAttempts {
      var failure: SystemError?
      do throws(SystemError) { try folder.exchange(exchanging, name) } catch { failure = error }
      guard let failure else { return try finish() }
      if failure.meansUnsupported { return try replace() }
      guard failure.code == ENOENT else { throw removingNewFile(failure) }
      // Another process has deleted the file.
      do throws(SystemError) {
        try folder.move(exchanging, to: name)
        return nil
      } catch {
        // Another process has created it again.
        guard error.code == EEXIST else { throw removingNewFile(error) }
      }
    }
    throw removingNewFile(SystemError(EBUSY))
  }

  /// Keeps or deletes the old file. On failure, exchanges the files back.
  private func finish() throws(SystemError) -> String? {
    if isExpected(exchanging) {
      // A file that cannot be removed is recognized as a leftover later.
      try? folder.remove(exchanging)
      return nil
    }
    // Without working locks, another process may have cleaned it up as a leftover.
    if folder.isGone(exchanging) { return nil }
    do throws(SystemError) {
      guard keepsCopies else { throw Self.changed }
      return try folder.keep(exchanging, asCopyOf: name)
    } catch {
      // If nothing works, the old file stays under its provisional name as a leftover.
      guard restoreOldFile() || restoreOldFile() else { return exchanging }
      let displaced = closedContents(exchanging)
      if displaced == new { throw removingNewFile(error) }
      // Another process has written to the new file meanwhile. If no copy can be kept, it is a
      // leftover.
      if displaced != nil { _ = try? folder.keep(exchanging, asCopyOf: name) }
      throw error
    }
  }

  /// Exchanges the files back. Returns false on failure.
  private func restoreOldFile() -> Bool {
    do throws(SystemError) {
      try folder.exchange(exchanging, name)
      return true
    } catch {
      // Another process has deleted the new file.
      return error.code == ENOENT && (try? folder.move(exchanging, to: name)) != nil
    }
  }

  /// Removes the new contents after a failure, and returns the error.
  private func removingNewFile(_ error: SystemError) -> SystemError {
    try? folder.remove(exchanging)
    return error
  }

  /// Saves without an exchange, on file systems that do not support it. Changes by another process
  /// between the comparison and the replacement are lost.
  private func replace() throws(SystemError) -> String? {
    var copy: String?
    do throws(SystemError) {
      if let status = try folder.status(of: name), !isExpected(name) {
        guard keepsCopies else { throw Self.changed }
        copy = try folder.copy(name, like: status)
      }
      try folder.replace(name, with: exchanging)
    } catch {
      if let copy { try? folder.remove(copy) }
      throw removingNewFile(error)
    }
    return copy
  }

  /// Returns true if a file may be deleted: its contents are the old or the new ones, and no
  /// process is known to have it open for writing.
  private func isExpected(_ file: String) -> Bool {
    closedContents(file).map { [old, new].contains($0) } ?? false
  }

  /// Returns the contents of a file, or nil if a process still has it open for writing. An update
  /// waits briefly, because it tries several times while others wait for the lock. A save waits
  /// longer, so that a file that is closed a moment later leaves no copy. Files larger than both
  /// the old and the new contents are not read.
  private func closedContents(_ file: String) -> [UInt8]? {
    folder.isBeingWritten(file, after: keepsCopies ? 500 : 50)
      ? nil : try? folder.contents(of: file, upTo: max(old.count, new.count)).bytes
  }
}

extension OpenFolder {
  /// Moves a file to the first unused name for copies, and returns that name.
  func keep(_ name: String, asCopyOf original: String) throws(SystemError) -> String {
    // The name of a leftover may have been too long to be included.
    let original = original.isEmpty ? "Untitled" : original
    return try withNewName(of: original) { newName throws(SystemError) in
      try move(name, to: newName)
    }
  }

  /// Copies a file to the first unused name, and returns that name.
  fileprivate func copy(_ name: String, like status: stat) throws(SystemError) -> String {
    try withNewName(of: name) { newName throws(SystemError) in
      do throws(SystemError) {
        // A hard link preserves the file for processes that have it open.
        try link(name, as: newName)
      } catch {
        guard error.meansNoLinks else { throw error }
        let bytes = try contents(of: name, upTo: SafeFile.defaultLimit).bytes
        try makeFile(newName, bytes, like: try rights(to: name, status))
      }
    }
  }

  /// Tries the names for copies in order until one is unused.
  private func withNewName(
    of original: String, _ body: (String) throws(SystemError) -> Void
  ) throws(SystemError) -> String {
    var number = 1
    while true {
      let name = FileName(original).copy(number).text
      do throws(SystemError) {
        try body(name)
        return name
      } catch {
        guard error.code == EEXIST else { throw error }
        number += 1
      }
    }
  }
}
