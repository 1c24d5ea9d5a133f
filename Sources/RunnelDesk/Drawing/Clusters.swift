/// The distinct characters of a grid that consist of several Unicode scalars.
struct Clusters: Sendable {
  private(set) var characters: [Character] = []
  private var places: [Spelling: UInt32] = [:]

  /// The number of scalars after which a character is cut off. No script or emoji needs more, and
  /// terminals fail on thousands.
  static let maximumScalarCount = 24

  var count: Int { characters.count }

  subscript(glyph: UInt32) -> Character {
    characters[Int(glyph & ~PackedCell.clusterBit)]
  }

  /// Returns the glyph of a character, and adds the character if it is new.
  mutating func glyph(for character: Character) -> UInt32 {
    let character = Self.shortened(character)
    let spelling = Spelling(character)
    if let place = places[spelling] { return place }
    let glyph = PackedCell.clusterBit | UInt32(characters.count)
    characters.append(character)
    places[spelling] = glyph
    return glyph
  }

  mutating func removeAll() {
    if characters.isEmpty { return }
    characters.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  private static func shortened(_ character: Character) -> Character {
    guard character.utf8.count > maximumScalarCount else { return character }
    let scalars = character.unicodeScalars
    return String(String.UnicodeScalarView(scalars.prefix(maximumScalarCount))).first ?? character
  }
}

/// A character that is compared byte by byte. Unicode's canonical equivalence would need table
/// look-ups for thousands of cells per frame.
struct Spelling: Hashable {
  private let character: Character

  init(_ character: Character) {
    self.character = character
  }

  static func == (left: Spelling, right: Spelling) -> Bool {
    left.character.utf8.elementsEqual(right.character.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // Most characters fit into one word.
    var word: UInt64 = 0
    for byte in character.utf8 {
      if word >> 56 != 0 {
        hasher.combine(word)
        word = 0
      }
      word = word << 8 | UInt64(byte)
    }
    hasher.combine(word)
  }
}
