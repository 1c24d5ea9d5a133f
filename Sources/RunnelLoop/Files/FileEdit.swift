import RunnelStreams

/// The text of a file while somebody edits it, saved again and again.
///
///     let edit = FileEdit(of: try SafeFile("notes/Milk.txt").contents().bytes)
///     pool.execute { _ = try? edit.save("Milk\nButter\n", to: SafeFile("notes/Milk.txt")) }
///
/// It keeps what is in the file as far as it knows, so that what others have written since is found.
/// It may be used from any thread, and on one at a time.
public final class FileEdit: Sendable {
  private let known: Monitor<[UInt8]?>

  /// An edit of what was read from a file; of nil where there is no file yet.
  public init(of bytes: [UInt8]?) {
    known = Monitor(bytes)
  }

  /// Saves a text, with the byte order mark and the ends of lines that the file has. Returns nil where
  /// that is in the file already.
  @discardableResult
  public func save(_ text: String, to file: SafeFile) throws(FileError) -> SafeFile.Outcome? {
    let old = known.withLock { $0 }
    let new = FileText(old ?? []).bytes(for: text)
    if new == old { return nil }
    do throws(FileError) {
      let outcome = try file.save(new, over: old ?? [])
      known.withLock { $0 = new }
      return outcome
    } catch {
      // Then it is in the file all the same.
      if case .unconfirmed = error { known.withLock { $0 = new } }
      throw error
    }
  }
}
