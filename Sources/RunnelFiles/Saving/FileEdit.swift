import RunnelStreams

/// The text of a file while somebody edits it, saved again and again.
///
///     let edit = FileEdit(of: try SafeFile("notes/Milk.txt").contents())
///     pool.execute { _ = try? edit.save("Milk\nButter\n", to: SafeFile("notes/Milk.txt")) }
///
/// It keeps what is in the file as far as it knows, so that what others have written since is found.
/// It may be used from any thread, and on one at a time.
public final class FileEdit: Sendable {
  private struct Known {
    var bytes: [UInt8]?
    /// Where that was saved; nil if it was only read.
    var path: String?
    /// Whether the disk has confirmed what is in the file.
    var isConfirmed = true
  }

  private let known: Monitor<Known>
  private let link: LinkRule

  /// An edit of what was read from a file. A link that takes the place of the file is not followed.
  public convenience init(of contents: FileContents) {
    self.init(of: contents.bytes, following: contents.link)
  }

  /// An edit of what was read from a file; of nil where there is no file yet. Links are followed.
  public convenience init(of bytes: [UInt8]?) {
    self.init(of: bytes, following: .any)
  }

  package init(of bytes: [UInt8]?, following link: LinkRule) {
    known = Monitor(Known(bytes: bytes))
    self.link = link
  }

  /// What a text is to be saved as.
  public func bytes(for text: String) -> [UInt8] {
    FileText(known.withLock { $0 }.bytes ?? []).bytes(for: text)
  }

  /// Saves a text, with the byte order mark and the ends of lines that the file has. Returns nil where
  /// that is in the file already. What the disk did not confirm is written anew. No text is nothing to
  /// put in the place of a file that has turned up since.
  @discardableResult
  public func save(_ text: String, to file: SafeFile) throws(FileError) -> SafeFile.Outcome? {
    let old = known.withLock { $0 }
    let new = FileText(old.bytes ?? []).bytes(for: text)
    // Saved under another name, it may not be what is in this file.
    let isElsewhere = old.path.map { $0 != file.path } ?? false
    if new == old.bytes && old.isConfirmed && !isElsewhere { return nil }
    do throws(FileError) {
      if old.bytes == nil && new.isEmpty { return try make(file) }
      let outcome = try file.save(new, over: old.bytes ?? [], following: link)
      known.withLock { $0 = Known(bytes: new, path: file.path) }
      return outcome
    } catch {
      // Then it is in the file all the same.
      if case .unconfirmed = error {
        known.withLock { $0 = Known(bytes: new, path: file.path, isConfirmed: false) }
      }
      throw error
    }
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
