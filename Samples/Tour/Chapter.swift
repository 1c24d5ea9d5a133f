/// One stop of the tour: some code, and what it prints.
struct Chapter {
  /// What it shows.
  let title: String
  /// Runs the code, which prints through the closure.
  let run: (_ print: @escaping (Any) -> Void) -> Void

  func matches(_ word: String) -> Bool {
    title.lowercased().contains(word.lowercased())
  }

  static var all: [Chapter] {
    observing + creating + sharing + operators + failures + properties + objects + debugging
  }
}
