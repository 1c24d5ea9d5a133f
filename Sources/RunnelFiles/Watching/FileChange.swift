/// What has become of a file or a folder that is watched.
///
/// Paths begin as the path that was given to ``EventLoop/changes(at:recursively:)``. What is not UTF-8
/// in a name is replaced by the replacement character.
public enum FileChange: Sendable, Hashable {
  /// There is something new under this name: it was made, or moved here from a place that is not
  /// watched, perhaps over what was there. All that a new folder contains is reported in this way too.
  case created(String)
  /// One who had opened the file for writing has closed it: it can be read now.
  case modified(String)
  /// There is nothing under this name any more, nor below it.
  case deleted(String)
  /// It goes by another name now, and so does all that is below it. What was there before is gone.
  case moved(from: String, to: String)
  /// Changes were missed, because more came at once than the system remembers, or because the way to
  /// what is watched leads elsewhere now. Look at all of it again; what comes later is reported.
  case rescan
}
