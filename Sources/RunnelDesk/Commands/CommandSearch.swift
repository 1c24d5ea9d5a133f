/// A search for menu items by a part of their titles.
@MainActor
struct CommandSearch {
  struct Command {
    let item: MenuItem
    let title: FuzzyText
    /// The title of the menu and of the item.
    let path: FuzzyText
    /// The place among the commands that were run last.
    let recency: Int
    /// The place in the order of the menus.
    let place: Int
  }

  struct Hit {
    let command: Command
    let score: Int
  }

  /// The commands that match the query, the best one first.
  private(set) var hits: [Hit] = []
  /// The number of commands that were compared with queries.
  private(set) var comparisonCount = 0

  private var commands: [Command] = []
  private var folding = LetterFolding()
  private(set) var query: [UInt32] = []

  /// The score that a match loses if it needs the title of the menu.
  private static let pathPenalty = 40

  init(_ items: [MenuItem], recent: RecentCommands) {
    let places = recent.places
    for item in items where !item.isSeparator && !item.title.isEmpty {
      commands.append(
        Command(
          item: item, title: FuzzyText(item.title, &folding),
          path: FuzzyText("\(item.menu?.title ?? "") \(item.title)", &folding),
          recency: places[ObjectIdentifier(item)] ?? .max, place: commands.count))
    }
    find("")
  }

  /// Finds the commands that can be chosen and match a query. If the query continues the last one,
  /// only the hits of the last one are compared.
  mutating func find(_ text: String) {
    let letters = folding.letters(of: text)
    let continues = !query.isEmpty && letters.starts(with: query)
    let candidates = continues ? hits.map(\.command) : commands
    query = letters
    comparisonCount += letters.isEmpty ? 0 : candidates.count
    let found = candidates.compactMap { command -> Hit? in
      guard command.item.canBeChosen, let score = Self.score(command, letters) else { return nil }
      return Hit(command: command, score: score)
    }
    hits = found.sorted { Self.rank($0) < Self.rank($1) }
  }

  /// The indices of the characters of a hit's title that match the query.
  func matchedPlaces(of hit: Hit) -> [Int] {
    hit.command.title.match(query)?.places ?? []
  }

  private static func score(_ command: Command, _ query: [UInt32]) -> Int? {
    if let match = command.title.match(query) { return match.score }
    return command.path.match(query).map { $0.score - pathPenalty }
  }

  /// Better scores are first, then commands that were run lately, then shorter titles. Otherwise the
  /// commands are in the order of the menus.
  private static func rank(_ hit: Hit) -> (Int, Int, Int, Int) {
    let length = hit.score == 0 ? 0 : hit.command.title.letters.count
    return (-hit.score, hit.command.recency, length, hit.command.place)
  }
}
