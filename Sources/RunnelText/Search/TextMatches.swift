extension Sequence<String> {
  /// Returns the texts that contain what a user has typed, without case and accents: first those that begin with it.
  ///
  ///     print(["Oat milk", "Tea", "Milky Way"].matching("milk"))  // ["Milky Way", "Oat milk"]
  public func matching(_ typed: String) -> [String] {
    let sought = FoldedText(typed)
    var (first, others) = ([String](), [String]())
    for text in self {
      let folded = FoldedText(text)
      if folded.hasPrefix(sought) {
        first.append(text)
      } else if folded.contains(sought) {
        others.append(text)
      }
    }
    return first + others
  }
}
