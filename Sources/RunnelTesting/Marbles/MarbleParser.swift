import RunnelStreams

/// A parser of the grammar of ``MarbleDiagram`` that reads one character at a time.
struct MarbleParser {
  private enum Place {
    /// Between two frames.
    case outside
    /// In a group that was opened at a position.
    case group(opened: Int, isEmpty: Bool)
  }

  private let string: String
  private let characters: [Character]
  private var index = 0
  private var frame = 0
  private var place = Place.outside
  private var hasEnded = false

  private(set) var marks: [MarbleDiagram.Mark] = []
  private(set) var observation: Int?
  private(set) var observationPosition: Int?

  init(_ string: String) {
    self.string = string
    characters = Array(string)
  }

  /// Returns true when a character has a special meaning and cannot name an element.
  static func isReserved(_ character: Character) -> Bool {
    "-()|X#^<>".contains(character) || character.isWhitespace
  }

  mutating func parse() throws(MarbleError) {
    while index < characters.count {
      let character = characters[index]
      if !character.isWhitespace { try read(character) }
      index += 1
    }
    if case .group(let opened, _) = place { throw error(.unclosedGroup, at: opened) }
  }

  private mutating func read(_ character: Character) throws(MarbleError) {
    switch (character, place) {
    case ("-", .outside): frame += 1
    case ("-", .group): throw error(.timeInGroup)
    case ("(", .outside): place = .group(opened: index, isEmpty: true)
    case ("(", .group): throw error(.nestedGroup)
    case (")", .outside): throw error(.unopenedGroup)
    case (")", .group(let opened, let isEmpty)):
      if isEmpty { throw error(.emptyGroup, at: opened) }
      place = .outside
      frame += 1
    default: try mark(character)
    }
  }

  private mutating func mark(_ character: Character) throws(MarbleError) {
    if hasEnded { throw error(.markAfterEnd) }
    switch character {
    case "^":
      if observation != nil { throw error(.secondObservation) }
      observation = frame
      observationPosition = index + 1
    case "|": add(.completed, at: index)
    case "X", "#": add(.failed(MarbleFailure()), at: index)
    case "<":
      let opened = index
      add(.next(try name()), at: opened)
    case ">": throw error(.unopenedName)
    default: add(.next(String(character)), at: index)
    }
    switch place {
    case .outside: frame += 1
    case .group(let opened, _): place = .group(opened: opened, isEmpty: false)
    }
  }

  private mutating func add(_ event: StreamEvent<String, MarbleFailure>, at index: Int) {
    if event.termination != nil { hasEnded = true }
    marks.append(MarbleDiagram.Mark(frame: frame, event: event, position: index + 1))
  }

  /// Reads a name from its `<`, and stops at its `>`.
  private mutating func name() throws(MarbleError) -> String {
    let opened = index
    var name = ""
    while index + 1 < characters.count {
      index += 1
      guard characters[index] == ">" else {
        name.append(characters[index])
        continue
      }
      guard index + 1 < characters.count, characters[index + 1] == ">" else { return name }
      index += 1
      name.append(">")
    }
    throw error(.unclosedName, at: opened)
  }

  private func error(_ mistake: MarbleError.Mistake, at index: Int? = nil) -> MarbleError {
    MarbleError(mistake, at: (index ?? self.index) + 1, in: string)
  }
}
