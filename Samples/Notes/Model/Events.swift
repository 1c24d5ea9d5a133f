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

/// A deletion or a rename was undone.
struct Undone: Equatable, CustomStringConvertible {
  /// The note as it is called now.
  let note: Note.ID
  let wasDeleted: Bool

  var description: String {
    wasDeleted
      ? "Undid deleting. \(note.stem) is back."
      : "Undid renaming. The note is called \(note.stem) again."
  }
}

/// The reason why a note cannot get a title.
enum TitleError: Error, CustomStringConvertible {
  case taken(Note.ID)
  case missing(Note.ID)

  var description: String {
    switch self {
    case .taken(let id): "There is already a note called \(id.stem). Choose another title."
    case .missing(let id): "The note \(id.stem) was deleted or renamed by another program."
    }
  }
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
