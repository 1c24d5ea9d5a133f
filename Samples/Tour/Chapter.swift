/// One chapter of the tour: an example that prints its results.
struct Chapter {
  /// The topic of the chapter.
  let title: String
  /// Runs the example, which prints by calling the closure.
  let run: (_ print: @escaping (Any) -> Void) -> Void

  func matches(_ word: String) -> Bool {
    title.lowercased().contains(word.lowercased())
  }

  static var all: [Chapter] {
    observing + creating + sharing + operators + failures + properties + objects + debugging
  }
}
