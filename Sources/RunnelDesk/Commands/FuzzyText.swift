import RunnelText

/// A text in which the letters of a query are found in order, with other letters between them.
///
/// Case and accents are ignored. Matches at the beginnings of words and of adjacent letters score
/// higher.
struct FuzzyText {
  /// One folded scalar for each character.
  let letters: [UInt32]
  /// True for each character at the beginning of a word.
  private let startsWord: [Bool]

  /// The number of characters that are compared. Titles are shorter.
  static let maximumLength = 200

  struct Match: Equatable {
    var score: Int
    /// The indices of the matched characters.
    var places: [Int]
  }

  init(_ text: some StringProtocol, _ folding: inout LetterFolding) {
    let characters = text.prefix(Self.maximumLength)
    letters = characters.map { folding.letter($0) }
    var former: Character?
    startsWord = characters.map { character in
      defer { former = character }
      guard let former, former.isLetter || former.isNumber else { return true }
      // "openFile" has two words.
      return former.isLowercase && character.isUppercase
    }
  }

  /// Returns true if the letters of a query occur in order.
  func contains(_ query: [UInt32]) -> Bool {
    var rest = query[...]
    for letter in letters where letter == rest.first {
      rest.removeFirst()
      if rest.isEmpty { return true }
    }
    return rest.isEmpty
  }

  private enum Score {
    static let letter = 1
    static let wordStart = 8
    static let textStart = 3
    static let adjacent = 8
    static let gap = -2
    static let whole = 10
    static let impossible = Int.min / 2
  }

  /// Returns the match of a query with the highest score; nil if the query does not occur.
  ///
  /// *Complexity*: the product of both lengths.
  func match(_ query: [UInt32]) -> Match? {
    if query.isEmpty { return Match(score: 0, places: []) }
    guard contains(query) else { return nil }
    let width = letters.count
    // The best score of a match of the first letters of the query, whose last one is at a place.
    var scores = [Int](repeating: Score.impossible, count: query.count * width)
    var formers = [Int](repeating: -1, count: query.count * width)
    for (row, letter) in query.enumerated() {
      var bestBefore = (score: Score.impossible, place: -1)
      for place in row..<width {
        let above = (row - 1) * width + place - 1
        // A letter that is not adjacent to the one before follows a gap.
        if row > 0, place > 1, scores[above - 1] > bestBefore.score {
          bestBefore = (scores[above - 1], place - 2)
        }
        guard letters[place] == letter else { continue }
        var former = (score: 0, place: -1)
        if row > 0 {
          former = (bestBefore.score + Score.gap, bestBefore.place)
          let adjacent = place > 0 ? scores[above] + Score.adjacent : Score.impossible
          if adjacent >= former.score { former = (adjacent, place - 1) }
        }
        guard former.score > Score.impossible / 2 else { continue }
        let bonus =
          (startsWord[place] ? Score.wordStart : 0) + (place == 0 ? Score.textStart : 0)
        scores[row * width + place] = former.score + Score.letter + bonus
        formers[row * width + place] = former.place
      }
    }
    return best(scores, formers, rows: query.count, width: width)
  }

  private func best(_ scores: [Int], _ formers: [Int], rows: Int, width: Int) -> Match? {
    let last = (rows - 1) * width
    // Of equal scores, the leftmost match is used.
    guard let end = (0..<width).max(by: { scores[last + $0] < scores[last + $1] }),
      scores[last + end] > Score.impossible / 2
    else { return nil }
    var places: [Int] = []
    var place = end
    for row in (0..<rows).reversed() {
      places.append(place)
      place = formers[row * width + place]
    }
    let bonus = rows == width ? Score.whole : 0
    return Match(score: scores[last + end] + bonus, places: places.reversed())
  }
}

/// A conversion of characters to letters without case and accents, which remembers the results.
struct LetterFolding {
  private var known: [Character: UInt32] = [:]

  /// Returns the letters of a query, without its spaces.
  mutating func letters(of query: String) -> [UInt32] {
    query.filter { !$0.isWhitespace }.prefix(FuzzyText.maximumLength).map { letter($0) }
  }

  mutating func letter(_ character: Character) -> UInt32 {
    if let byte = character.asciiValue {
      return UInt32((65...90).contains(byte) ? byte + 32 : byte)
    }
    if let letter = known[character] { return letter }
    let folded = String(decoding: FoldedText(String(character)).bytes, as: UTF8.self)
    let letter = (folded.unicodeScalars.first ?? " ").value
    known[character] = letter
    return letter
  }
}
