/// The characters of a grid that consist of several Unicode scalars, each once.
struct Clusters: Sendable {
  private(set) var characters: [Character] = []
  private var places: [Character: UInt32] = [:]

  /// More scalars than any script or emoji needs; terminals choke on thousands.
  static let mostScalars = 24

  var count: Int { characters.count }

  subscript(glyph: UInt32) -> Character {
    characters[Int(glyph & ~PackedCell.clusterBit)]
  }

  /// The glyph that stands for a character.
  mutating func glyph(for character: Character) -> UInt32 {
    if let place = places[character] { return place }
    let glyph = PackedCell.clusterBit | UInt32(characters.count)
    characters.append(Self.shortened(character))
    places[character] = glyph
    return glyph
  }

  mutating func removeAll() {
    if characters.isEmpty { return }
    characters.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  private static func shortened(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    guard scalars.count > mostScalars else { return character }
    return String(String.UnicodeScalarView(scalars.prefix(mostScalars))).first ?? character
  }
}
