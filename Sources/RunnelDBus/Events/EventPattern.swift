import RunnelBus

/// A pattern of topics with the wildcards `*` and `#`.
struct EventPattern {
  let text: String
  private let levels: PatternLevels

  init(_ text: String) {
    self.text = text
    levels = PatternLevels(text)
  }

  /// Returns true if a topic matches.
  func matches(_ topic: String) -> Bool { levels.matches(topic) }

  /// The filter for the signals of matching topics, and perhaps of others.
  ///
  /// The bus compares the levels before the first wildcard, if D-Bus allows their characters in names.
  var filter: SignalFilter {
    var filter = SignalFilter(
      DBusTransport.signalName, of: EventNames.interface, at: EventNames.path)
    let plain = levels.names.prefix { EventNames.isPlain($0) }
    let start = plain.joined(separator: ".")
    guard !plain.isEmpty, start.utf8.count <= 255 else { return filter }
    if plain.count == levels.names.count {
      filter.firstArgument = text
    } else {
      filter.firstNamespace = start
    }
    return filter
  }
}
