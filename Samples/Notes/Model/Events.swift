import Runnel

/// A note was saved.
struct NoteSaved: Equatable {
  let id: Note.ID
}

/// Somebody else had changed a note that was saved: what they wrote is kept in a file of its own.
struct NoteConflict: Equatable {
  let id: Note.ID
  /// Where that file is.
  let copy: FileName
}

/// A note goes by another name, whoever has given it that.
struct NoteRenamed: Equatable {
  let old: Note.ID
  let new: Note.ID
}

struct SettingsChanged: Equatable {
  let settings: Settings
}

/// Something that people should know.
struct Problem: CustomStringConvertible {
  let note: Note.ID?
  let error: any Error

  var description: String {
    let reason = "\(error)"
    return note.map { "\($0.stem): \(reason)" } ?? reason
  }
}
