import Runnel

/// A note was saved.
struct NoteSaved: Equatable { let id: Note.ID }

/// A saved note had also been changed by another program. The other text was copied to a separate
/// file.
struct NoteConflict: Equatable {
  let id: Note.ID
  /// The file with the other text.
  let copy: FileName
}

/// A note was renamed, by this app or by another program.
struct NoteRenamed: Equatable {
  let old: Note.ID
  let new: Note.ID
}

/// An action was undone.
struct Undone: Equatable {
  /// The current name of the note.
  let note: Note.ID
  let message: String
}

/// The reason why a note cannot be renamed to a title.
enum TitleError: Error, CustomStringConvertible {
  case taken(Note.ID), missing(Note.ID), empty, outside

  var description: String {
    switch self {
    case .taken(let id): "Choose another title: there is already a note called \(id.stem)."
    case .missing(let id): "The note \(id.stem) was deleted or renamed by another program."
    case .empty: "Type a title."
    case .outside: "Choose a folder within that of the notes."
    }
  }
}

/// An error to show to the user.
struct Problem: CustomStringConvertible {
  let note: Note.ID?
  let error: any Error

  var description: String {
    // A narrow window cuts off the end.
    let reason = (error as? FileError).map { "\($0.advice) \($0.cause)".trimmed } ?? "\(error)"
    return note.map { "\($0.stem): \(reason)" } ?? reason
  }
}
