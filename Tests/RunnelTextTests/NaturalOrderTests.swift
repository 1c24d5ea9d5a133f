import RunnelTesting
import RunnelText
import Testing

@Suite struct NaturalOrderTests {
  /// Generated titles are compared with a slow model.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func naturalOrderComparesNumbersByValue(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = ["a", "b", "0", "1", "9", "07", "10", " ", "é"]
    let titles = (0..<60).map { _ in
      (0..<Int.random(in: 0...5, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }
      .joined()
    }
    /// The text with each number padded to the same length.
    func padded(_ text: String) -> String {
      String(decoding: FoldedText(text).bytes, as: UTF8.self).replacing(#/[0-9]+/#) {
        String(repeating: "0", count: 30 - $0.output.count) + $0.output
      }
    }
    for one in titles {
      for other in titles where padded(one) != padded(other) {
        let precedes = padded(one).utf8.lexicographicallyPrecedes(padded(other).utf8)
        let isBefore = FoldedText(one).naturallyPrecedes(FoldedText(other))
        #expect(isBefore == precedes, "seed \(seed): \(one), \(other)")
      }
    }
    #expect(FoldedText("02").naturallyPrecedes(FoldedText("2")))
    #expect(!FoldedText("2").naturallyPrecedes(FoldedText("2")))
  }

  @Test func typicalTitlesAreInOrder() {
    let long = String(repeating: "9", count: 10_000)
    let texts = [
      "", "007", "7a", "8", "10", long, "1" + long, "a", "a 1", "a 02", "a 10 b", "a 10 c", "Ä 11",
      "b", "file.txt", "file2.txt", "file10.txt",
    ].map { FoldedText($0) }
    for (index, text) in texts.enumerated() {
      #expect(!text.naturallyPrecedes(text))
      for later in texts[(index + 1)...] {
        #expect(text.naturallyPrecedes(later) && !later.naturallyPrecedes(text))
      }
    }
  }
}
