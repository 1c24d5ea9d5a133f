import RunnelStreams

/// An editing session of a text file, which may be saved many times.
///
///     let edit = FileEdit(of: try SafeFile("notes/Milk.txt").contents())
///     pool.execute { _ = try? edit.save("Milk\nButter\n", to: SafeFile("notes/Milk.txt")) }
///
/// It remembers the contents of the file as last read or saved, so that changes by other processes
/// are detected. It may be used on any thread, by one thread at a time.
public final class FileEdit: Sendable {
  private struct Known {
    var bytes: [UInt8]?
    /// The path of the last save; nil if the file was only read.
    var path: String?
    /// True if the disk has confirmed the contents.
    var isConfirmed = true
  }

  private let known: Monitor<Known>
  private let link: LinkRule

  /// Creates an edit of contents that were read. A link that replaces the file later is not
  /// followed.
  public convenience init(of contents: FileContents) {
    self.init(of: contents.bytes, following: contents.link)
  }

  /// Creates an edit of bytes that were read, or of nil if there is no file yet. Links are
  /// followed.
  public convenience init(of bytes: [UInt8]?) {
    self.init(of: bytes, following: .any)
  }

  package init(of bytes: [UInt8]?, following link: LinkRule) {
    known = Monitor(Known(bytes: bytes))
    self.link = link
  }

  /// Returns the bytes that would be saved for a text.
  public func bytes(for text: String) -> [UInt8] {
    FileText(known.withLock { $0 }.bytes ?? []).bytes(for: text)
  }

  /// Saves a text, with the byte order mark and the line endings of the file. Returns nil if the
  /// file has these contents already. Contents that the disk did not confirm are written again. An
  /// empty text does not replace a file that has been created since.
  ///
  /// If another process has changed the file meanwhile, it gets both changes, line by line. Read it
  /// again to show them. Two texts that were inserted at one place follow each other. Other changes
  /// that touch each other are not merged: the contents of the other process are then kept as a copy,
  /// and the result is ``SafeFile/Outcome/conflict(_:)``.
  @discardableResult
  public func save(_ text: String, to file: SafeFile) throws(FileError) -> SafeFile.Outcome? {
    let old = known.withLock { $0 }
    let new = FileText(old.bytes ?? []).bytes(for: text)
    // The file at another path may have other contents.
    let isElsewhere = old.path.map { $0 != file.path } ?? false
    if new == old.bytes && old.isConfirmed && !isElsewhere { return nil }
    do throws(FileError) {
      if old.bytes == nil && new.isEmpty { return try make(file) }
      if let bytes = old.bytes, !isElsewhere, try merge(new, from: bytes, into: file) {
        // The text that is edited has only the changes that were made here.
        known.withLock { $0 = Known(bytes: new, path: file.path) }
        return .saved
      }
      let outcome = try file.save(new, over: old.bytes ?? [], following: link)
      known.withLock { $0 = Known(bytes: new, path: file.path) }
      return outcome
    } catch {
      // An unconfirmed save is in the file nevertheless.
      if case .unconfirmed = error {
        known.withLock { $0 = Known(bytes: new, path: file.path, isConfirmed: false) }
      }
      throw error
    }
  }

  /// Makes the change from old to new contents in a file that another process has changed. Returns
  /// false if no other process has changed it, or if it has changed the same lines.
  private func merge(
    _ new: [UInt8], from old: [UInt8], into file: SafeFile
  ) throws(FileError) -> Bool {
    guard new != old, let found = try? file.contents().bytes, found != old,
      merged(new, old, found) != nil
    else { return false }
    var isMerged = false
    do throws(FileError) {
      _ = try file.update(upTo: SafeFile.defaultLimit, following: link) { theirs in
        let both = merged(new, old, theirs)
        isMerged = both != nil
        return both ?? theirs
      }
    } catch {
      if case .unconfirmed = error { throw error }
      return false
    }
    return isMerged
  }

  private func merged(_ new: [UInt8], _ old: [UInt8], _ theirs: [UInt8]) -> [UInt8]? {
    FileText(theirs).isValid ? LineMerge.merged(base: old, mine: new, theirs: theirs) : nil
  }

  private func make(_ file: SafeFile) throws(FileError) -> SafeFile.Outcome? {
    do throws(FileError) {
      try file.create([])
    } catch {
      guard case .exists = error else { throw error }
      return nil
    }
    known.withLock { $0 = Known(bytes: [], path: file.path) }
    return .saved
  }
}
