/// A change of a watched file or folder.
///
/// Paths begin with the path that was passed to `EventLoop.changes(at:recursively:)`. Bytes that
/// are not UTF-8 become replacement characters.
public enum FileChange: Sendable, Hashable {
  /// A file or folder was created, or moved here from a place that is not watched, and may have
  /// replaced another one. The contents of a new folder are reported in the same way.
  case created(String)
  /// A process that had opened the file for writing has closed it. The file can be read now.
  case modified(String)
  /// The file or folder was deleted, with everything below it.
  case deleted(String)
  /// The file or folder was moved, with everything below it, and replaced the previous destination.
  case moved(from: String, to: String)
  /// Changes were missed: the system's queue overflowed, or the path has another target now. Read
  /// everything again; later changes are reported.
  case rescan
}
