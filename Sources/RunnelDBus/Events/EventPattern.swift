/// A pattern of topics with the wildcards `*` and `#`.
struct EventPattern {
  let text: String
  private let levels: [Substring]

  init(_ text: String) {
    self.text = text
    levels = text.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Returns true if a topic matches.
  func matches(_ topic: String) -> Bool {
    let names = topic.split(separator: ".", omittingEmptySubsequences: false)
    for (index, level) in levels.enumerated() {
      if level == "#" { return true }
      guard index < names.count, level == "*" || level == names[index] else { return false }
    }
    return levels.count == names.count
  }

  /// The filter for the signals of matching topics, and perhaps of others.
  ///
  /// The bus compares the levels before the first wildcard, if D-Bus allows their characters in names.
  var filter: SignalFilter {
    var filter = SignalFilter(
      DBusTransport.signalName, of: EventNames.interface, at: EventNames.path)
    let plain = levels.prefix { EventNames.isPlain($0) }
    let start = plain.joined(separator: ".")
    guard !plain.isEmpty, start.utf8.count <= 255 else { return filter }
    if plain.count == levels.count {
      filter.firstArgument = text
    } else {
      filter.firstNamespace = start
    }
    return filter
  }
}
