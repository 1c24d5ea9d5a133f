import RunnelStreams

/// The observers of topics on one bus, and the sticky messages.
///
/// The patterns form a trie with one node for each level. A lookup only visits the nodes that match
/// the topic so far.
final class TopicTable {
  /// An observer of a pattern.
  final class Listener {
    let number: Int
    let priority: EventPriority
    let messages = PushStream<TopicMessage>()

    init(number: Int, priority: EventPriority) {
      self.number = number
      self.priority = priority
    }
  }

  private final class Node {
    var children: [Substring: Node] = [:]
    var listeners: [Int: Listener] = [:]

    var isUnused: Bool { children.isEmpty && listeners.isEmpty }
  }

  private let root = Node()
  private var lastNumber = 0
  private var kept: [String: TopicMessage] = [:]
  /// The latest removal of the sticky message of each topic, as far as other programs know it.
  private var removals = Generations<String, TopicMessage>(limit: 16_384)

  // MARK: - Listeners

  func add(_ levels: TopicLevels, priority: EventPriority) -> Listener {
    lastNumber += 1
    let listener = Listener(number: lastNumber, priority: priority)
    var node = root
    for name in levels.names {
      let child = node.children[name] ?? Node()
      node.children[name] = child
      node = child
    }
    node.listeners[listener.number] = listener
    return listener
  }

  func remove(_ number: Int, of levels: TopicLevels) {
    var path: [(node: Node, name: Substring)] = []
    var node = root
    for name in levels.names {
      guard let child = node.children[name] else { return }
      path.append((node, name))
      node = child
    }
    let leaving = node.listeners.removeValue(forKey: number)
    for (parent, name) in path.reversed() {
      guard parent.children[name]?.isUnused == true else { break }
      release(parent.children.removeValue(forKey: name))
    }
    release(leaving)
  }

  /// Returns the observers whose patterns match, in the order of delivery.
  func listeners(of topic: TopicLevels) -> [Listener] {
    var found: [Listener] = []
    Self.collect(topic.names[...], below: root, into: &found)
    if found.count > 1 {
      found.sort { ($1.priority, $0.number) < ($0.priority, $1.number) }
    }
    return found
  }

  private static func collect(
    _ names: ArraySlice<Substring>, below node: Node, into found: inout [Listener]
  ) {
    if let rest = node.children[TopicLevels.rest] { found += rest.listeners.values }
    guard let name = names.first else {
      found += node.listeners.values
      return
    }
    for key in [name, TopicLevels.any] {
      if let child = node.children[key] { collect(names.dropFirst(), below: child, into: &found) }
    }
  }

  // MARK: - Sticky messages

  /// Stores a message as the sticky one of its topic.
  func keep(_ message: TopicMessage) {
    release(kept.updateValue(message, forKey: message.topic))
  }

  /// Removes the sticky message of a topic. A removal that other programs know has a message.
  func removeKept(on topic: String, by removal: TopicMessage? = nil) {
    if let removal { removals[topic] = removal }
    release(kept.removeValue(forKey: topic))
  }

  /// The sticky message of a topic.
  func kept(on topic: String) -> TopicMessage? { kept[topic] }

  /// The sticky message of a topic, or else its latest removal.
  func latest(on topic: String) -> TopicMessage? { kept[topic] ?? removals.peek(topic) }

  /// The latest removals, in any order, of topics that have no sticky message.
  var latestRemovals: [TopicMessage] { removals.values.filter { kept[$0.topic] == nil } }

  /// Returns the sticky messages of the topics that match a pattern, sorted by topic.
  func kept(on pattern: TopicLevels) -> [TopicMessage] {
    if kept.isEmpty { return [] }
    let table = TopicTable()
    _ = table.add(pattern, priority: .normal)
    return kept.values.filter { !table.listeners(of: $0.levels).isEmpty }
      .sorted { $0.topic < $1.topic }
  }
}
