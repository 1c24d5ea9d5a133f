/// The patterns of one direction of a link, for looking up the first that matches a topic.
final class JoinTable {
  /// The treatment of the events of a pattern.
  struct Rule {
    enum Sticky {
      case retained
      case plain
      case refused
    }

    let sticky: Sticky
    let isAcknowledged: Bool

    /// The kind as which a message crosses; nil if it does not cross.
    func crossing(_ kind: MessageKind) -> MessageKind? {
      switch (kind, sticky) {
      case (.event, _), (.sticky, .plain): .event
      case (.sticky, .retained): .sticky
      case (.cleared, .retained): .cleared
      case (.sticky, .refused), (.cleared, .plain), (.cleared, .refused): nil
      }
    }
  }

  private let events = TopicTable()
  private let requests = TopicTable()
  private var rules: [Int: Rule] = [:]
  private var patterns: [(pattern: TransportPattern, levels: TopicLevels)] = []
  /// True if there are patterns of requests.
  private(set) var hasRequests = false

  /// Checks the patterns. Throws if one is invalid, or needs what the transport lacks.
  init(
    _ patterns: [JoinPattern<any BusTransport>], prefix: String, _ transport: any BusTransport
  ) throws(JoinError) {
    for pattern in patterns {
      let levels: TopicLevels
      do throws(TopicError) {
        levels = try TopicLevels(pattern: pattern.pattern)
        _ = try TopicLevels(pattern: prefix + pattern.pattern)
      } catch {
        throw .invalidPattern(pattern.pattern, error)
      }
      do throws(TransportError) {
        try transport.check(pattern: prefix + pattern.pattern)
      } catch {
        throw .transport(error)
      }
      switch pattern.content {
      case .events(let sticky, let isAcknowledged):
        let rule = try Self.rule(sticky, isAcknowledged, of: transport)
        rules[events.add(levels, priority: .normal).number] = rule
        self.patterns.append(
          (TransportPattern(pattern.pattern, isAcknowledged: rule.isAcknowledged), levels))
      case .requests:
        guard transport is any AskingTransport else {
          throw .lacks(.requests, transport: transport.name)
        }
        _ = requests.add(levels, priority: .normal)
        hasRequests = true
      }
    }
  }

  private static func rule(
    _ sticky: JoinContent.Sticky, _ isAcknowledged: Bool?,
    of transport: any BusTransport
  ) throws(JoinError) -> Rule {
    let retains = transport is any RetainingTransport
    if sticky == .retained && !retains { throw .lacks(.retained, transport: transport.name) }
    let confirms = transport is any AcknowledgingTransport
    if isAcknowledged == true && !confirms {
      throw .lacks(.acknowledged, transport: transport.name)
    }
    return Rule(
      sticky: sticky == .plain ? .plain : retains ? .retained : .refused,
      isAcknowledged: isAcknowledged ?? confirms)
  }

  /// True if there are patterns of events.
  var hasEvents: Bool { !patterns.isEmpty }

  /// The rule of the first pattern that matches a topic.
  func rule(for topic: TopicLevels) -> Rule? {
    events.listeners(of: topic).first.flatMap { rules[$0.number] }
  }

  func matchesRequest(_ topic: String) -> Bool {
    guard let levels = try? TopicLevels(topic: topic) else { return false }
    return !requests.listeners(of: levels).isEmpty
  }

  func eventPatterns(prefix: String) -> [TransportPattern] {
    patterns.map {
      TransportPattern(prefix + $0.pattern.pattern, isAcknowledged: $0.pattern.isAcknowledged)
    }
  }

  /// The sticky messages of a bus that match the patterns, each once, sorted by topic.
  func kept(on bus: EventBus) -> [TopicMessage] {
    var found: [String: TopicMessage] = [:]
    for (_, levels) in patterns {
      for message in bus.topics.kept(on: levels) { found[message.topic] = message }
    }
    return found.values.sorted { $0.topic < $1.topic }
  }

  /// The latest removals of a bus that match the patterns, sorted by topic.
  func removals(on bus: EventBus) -> [TopicMessage] {
    bus.topics.latestRemovals.filter { rule(for: $0.levels) != nil }.sorted { $0.topic < $1.topic }
  }
}
