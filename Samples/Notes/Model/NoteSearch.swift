import Runnel
import RunnelText

/// The search of a folder: the text of the search field, and the notes that it finds.
@MainActor
final class NoteSearch {
  /// The text of the search field.
  let text = Property("")
  /// The query in the text.
  let query = Property(SearchQuery(""))
  /// The notes that match the query, in the order of the settings.
  let found: LiveCollection<[Note]>
  /// All notes by title.
  let titles: LiveCollection<[Note]>
  private let settings: ReadOnlyProperty<Settings>

  init(_ folder: NoteFolder) {
    settings = folder.settings
    found = folder.notes
      .sorted(by: folder.settings.map { settings in { settings.areInOrder($0, $1) } })
      .filter(by: query.map { query in { $0.isFound(by: query) } })
    titles = folder.notes.sorted {
      ($0.foldedTitle, $0.id) < ($1.foldedTitle, $1.id)
    }
    text.map { SearchQuery($0) }.bind(to: query)
  }

  /// The first note whose title begins with the text; nil if there is none. The list is sorted, so a
  /// binary search finds the note.
  var proposed: Note? {
    let text = text.value.trimmed
    if text.isEmpty { return nil }
    let typed = FoldedText(text)
    let title = titles.partitioningIndex { !($0.foldedTitle < typed) }
    guard title < titles.count, titles[title].foldedTitle.hasPrefix(typed) else { return nil }
    return titles[title]
  }

  /// The row of a found note. The list is sorted, so a binary search finds the row.
  func row(of note: Note) -> Int? {
    let settings = settings.value
    let start = found.partitioningIndex { !settings.areInOrder($0, note) }
    return (start..<found.count).first { found[$0].id == note.id }
  }
}
