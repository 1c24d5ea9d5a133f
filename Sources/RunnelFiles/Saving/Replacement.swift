import Glibc

/// One save over a file that is there, or was.
///
/// The new contents are made beside the file under a provisional name, and then the two change
/// places in one step. What the file was can be looked at only then, when nobody can change it any
/// more by its name: if it is not what the change began with, it gets a name of its own. That holds for a
/// link too, which is never followed.
struct Replacement {
  /// How often others may delete the file and make it anew between two steps.
  private static let patience = 100
  /// The error where somebody has changed the file, and what they wrote was to stay there.
  static let changed = SystemError(ESTALE)

  private let name: String
  private let folder: OpenFolder
  private let old: [UInt8]
  private let new: [UInt8]
  private let exchanging: String
  private let keepsCopies: Bool

  /// The save of new contents over old ones. What is in the file and is neither gets a name of its own,
  /// or stays where it is: then the save fails.
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

  /// Does it. Returns the name of the copy of what was there, if that was to be kept.
  func make() throws(SystemError) -> String? {
    let original = try folder.status(of: name)
    var rights: FileRights?
    if let original, !original.isLink {
      guard original.isFile else { throw SystemError(EISDIR) }
      try folder.checkWritable(name)
      rights = try folder.rights(to: name, original)
    }
    let unfinished = ProvisionalName.unfinished()
    // In the place of a link comes a file of which nothing is known: perhaps nobody else may read it.
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
    for _ in 0..<Self.patience {
      var failure: SystemError?
      do throws(SystemError) { try folder.exchange(exchanging, name) } catch { failure = error }
      guard let failure else { return try settle() }
      if failure.meansUnsupported { return try replace() }
      guard failure.code == ENOENT else { throw givingUp(failure) }
      // Somebody has deleted it.
      do throws(SystemError) {
        try folder.move(exchanging, to: name)
        return nil
      } catch {
        // Somebody has made it again.
        guard error.code == EEXIST else { throw givingUp(error) }
      }
    }
    throw givingUp(SystemError(EBUSY))
  }

  /// Keeps what the file was, if it is worth it. If that cannot be done, all is put back.
  private func settle() throws(SystemError) -> String? {
    if isExpected(exchanging) {
      // If it cannot be removed, it is a leftover, which is known as one.
      try? folder.remove(exchanging)
      return nil
    }
    // Where locks do not work, somebody may have taken it for a leftover, and kept what is worth it.
    if folder.isGone(exchanging) { return nil }
    do throws(SystemError) {
      guard keepsCopies else { throw Self.changed }
      return try folder.keep(exchanging, asCopyOf: name)
    } catch {
      // Where nothing works any more it stays under the name that it has, as a leftover.
      guard isPutBack() || isPutBack() else { return exchanging }
      let displaced = settled(exchanging)
      if displaced == new { throw givingUp(error) }
      // Somebody has written in between. What is not kept now is a leftover that will be looked at.
      if displaced != nil { _ = try? folder.keep(exchanging, asCopyOf: name) }
      throw error
    }
  }

  /// Puts back what was there, if that can be done.
  private func isPutBack() -> Bool {
    do throws(SystemError) {
      try folder.exchange(exchanging, name)
      return true
    } catch {
      // Somebody has deleted the new file.
      return error.code == ENOENT && (try? folder.move(exchanging, to: name)) != nil
    }
  }

  /// Removes the new contents, where they could not be put into their place.
  private func givingUp(_ error: SystemError) -> SystemError {
    try? folder.remove(exchanging)
    return error
  }

  /// The same where two files cannot change places: what somebody writes between looking at the file
  /// and replacing it is lost.
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
      throw givingUp(error)
    }
    return copy
  }

  /// Whether nothing is lost with a file: it is what the change began with, or led to, and nobody is
  /// about to write more.
  private func isExpected(_ file: String) -> Bool {
    settled(file).map { [old, new].contains($0) } ?? false
  }

  /// What is in a file that nobody is about to write to. An update tries several times before it saves,
  /// while others wait for their turn; a save is made once, and is not to leave a copy because somebody
  /// closes the file a moment later. A file that is larger than the old and the new contents is neither,
  /// and is not read.
  private func settled(_ file: String) -> [UInt8]? {
    folder.isBeingWritten(file, after: keepsCopies ? 500 : 50)
      ? nil : try? folder.contents(of: file, upTo: max(old.count, new.count)).bytes
  }
}

extension OpenFolder {
  /// Moves something to the first name for copies of a file that is free, and returns that.
  func keep(_ name: String, asCopyOf original: String) throws(SystemError) -> String {
    // Of a long name, a leftover may have kept nothing.
    let original = original.isEmpty ? "Untitled" : original
    return try withNewName(of: original) { newName throws(SystemError) in
      try move(name, to: newName)
    }
  }

  /// Makes a copy of a file under the first name that is free, and returns that.
  fileprivate func copy(_ name: String, like status: stat) throws(SystemError) -> String {
    try withNewName(of: name) { newName throws(SystemError) in
      do throws(SystemError) {
        // Then it goes on being what others have opened.
        try link(name, as: newName)
      } catch {
        guard error.meansNoLinks else { throw error }
        let bytes = try contents(of: name, upTo: SafeFile.defaultLimit).bytes
        try makeFile(newName, bytes, like: try rights(to: name, status))
      }
    }
  }

  /// Tries one name for copies after the other, until there is nothing at one.
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
