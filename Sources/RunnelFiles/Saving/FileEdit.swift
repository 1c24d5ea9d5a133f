import RunnelStreams

/// An editing session of a text file, which may be saved many times.
///
///     let edit = FileEdit(of: try SafeFile("notes/Milk.txt").contents())
///     pool.execute { _ = try? edit.save("Milk\nButter\n", to: SafeFile("notes/Milk.txt")) }
///
/// It remembers the contents of the file as last read or saved, so that changes by other processes
/// are detected and merged. It may be used on any thread, by one thread at a time.
public final class FileEdit: Sendable {
  private struct Known {
    /// The bytes of the text that the editor shows; nil if there was no file.
    var base: [UInt8]?
    /// The bytes of the file. After a merge they also contain the changes of another process.
    var file: [UInt8]?
    /// The path of the last save; nil if the file was only read.
    var path: String?
    /// True if the disk has confirmed the contents.
    var isConfirmed = true
  }

  private let known: Monitor<Known>
  private let link: Monitor<LinkRule>

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
    known = Monitor(Known(base: bytes, file: bytes))
    self.link = Monitor(link)
  }

  /// Changes which links a save follows, because the file has moved to another folder.
  package func follow(_ rule: LinkRule) { link.withLock { $0 = rule } }

  /// Returns the bytes that would be saved for a text.
  public func bytes(for text: String) -> [UInt8] {
    FileText(known.withLock { $0 }.base ?? []).bytes(for: text)
  }

  /// Saves a text, with the byte order mark and the line endings of the file. Returns nil if the
  /// file has these contents already. Contents that the disk did not confirm are written again. An
  /// empty text does not replace a file that has been created since.
  ///
  /// If another process has changed the file meanwhile, its changes and these are merged by lines and
  /// written. Read the file again to show the result. Of two insertions at one place, the one from
  /// this edit comes first. Other overlapping changes are not merged: the contents of the other process
  /// are then kept as a copy, and the result is ``SafeFile/Outcome/conflict(_:)``.
  @discardableResult
  public func save(_ text: String, to file: SafeFile) throws(FileError) -> SafeFile.Outcome? {
    let old = known.withLock { $0 }
    let new = FileText(old.base ?? []).bytes(for: text)
    // The file at another path may have other contents.
    let isElsewhere = old.path.map { $0 != file.path } ?? false
    if new == old.base && old.isConfirmed && !isElsewhere { return nil }
    // The contents that were written last, in case the disk does not confirm them.
    var written = new
    do throws(FileError) {
      if old.base == nil && new.isEmpty { return try make(file) }
      let isReplaced = try replaces(file) { found in
        let found = found ?? old.file
        if isElsewhere && found != old.file { return nil }
        guard let both = Self.merged(new, from: old.base, found) else { return nil }
        written = both
        return both
      }
      var outcome = SafeFile.Outcome.saved
      if !isReplaced {
        written = new
        // Merged contents that cannot be merged again are kept as a copy.
        outcome = try file.save(new, over: old.base ?? [], following: link.withLock { $0 })
      }
      // The editor still shows only its own changes, so they are the base of the next merge.
      known.withLock { $0 = Known(base: new, file: written, path: file.path) }
      return outcome
    } catch {
      // An unconfirmed save is in the file nevertheless.
      if case .unconfirmed = error {
        known.withLock {
          $0 = Known(base: new, file: written, path: file.path, isConfirmed: false)
        }
      }
      throw error
    }
  }

  /// Replaces a file. Returns false if it cannot be read, or is still as it was.
  private func replaces(
    _ file: SafeFile, _ change: ([UInt8]?) -> [UInt8]?
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      return try file.replace(following: link.withLock { $0 }, change)
    } catch {
      if case .unconfirmed = error { throw error }
      return false
    }
  }

  /// Returns contents with the change from `old` to `new` and the changes in the file; nil if both
  /// have changed the same lines.
  private static func merged(_ new: [UInt8], from old: [UInt8]?, _ file: [UInt8]?) -> [UInt8]? {
    if file == old || file == new { return new }
    guard let old, let file, FileText(file).isValid else { return nil }
    return LineMerge.merged(base: old, mine: new, theirs: file)
  }

  private func make(_ file: SafeFile) throws(FileError) -> SafeFile.Outcome? {
    do throws(FileError) {
      try file.create([])
    } catch {
      guard case .exists = error else { throw error }
      return nil
    }
    known.withLock { $0 = Known(base: [], file: [], path: file.path) }
    return .saved
  }
}
