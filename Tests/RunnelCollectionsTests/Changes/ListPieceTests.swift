import RunnelCollections
import RunnelTesting
import Testing

@Suite struct ListPieceTests {
  /// Returns the pieces of the change of a batch on the list 0...5.
  private func pieces(_ edits: (CollectionProperty<[Int]>) -> Void) -> [ListPiece] {
    let list = CollectionProperty(Array(0..<6))
    let validator = ListValidator(list)
    var pieces: [ListPiece] = []
    list.observe { pieces += $0.changes?.pieces ?? [] }
    list.batch { edits(list) }
    #expect(validator.problems == [])
    return pieces
  }

  @Test func oneEditSplitsTheList() {
    #expect(
      pieces { $0.insert(9, at: 2) } == [
        .kept(from: 0..<2, to: 0..<2), .inserted(2..<3), .kept(from: 2..<6, to: 3..<7),
      ])
    #expect(
      pieces { $0.remove(at: 0) } == [.deleted(0..<1), .kept(from: 1..<6, to: 0..<5)])
    #expect(
      pieces { $0[5] = 9 } == [.kept(from: 0..<5, to: 0..<5), .updated(from: 5..<6, to: 5..<6)])
  }

  @Test func moveIsListedAtItsDestination() {
    #expect(
      pieces { $0.move(from: 1, to: 3) } == [
        .kept(from: 0..<1, to: 0..<1), .kept(from: 2..<4, to: 1..<3),
        .moved(from: 1..<2, to: 3..<4, isUpdated: false), .kept(from: 4..<6, to: 4..<6),
      ])
    #expect(
      pieces {
        $0.move(from: 5, to: 0); $0[0] = 9
      } == [.moved(from: 5..<6, to: 0..<1, isUpdated: true), .kept(from: 0..<5, to: 1..<6)])
  }

  @Test func batchIsListedInNewOrder() {
    let pieces = pieces {
      $0.removeSubrange(4..<6)
      $0[1] = 9
      $0.insert(contentsOf: [7, 8], at: 4)
      $0.move(from: 0, to: 2)
    }
    #expect(
      pieces == [
        .updated(from: 1..<2, to: 0..<1), .kept(from: 2..<3, to: 1..<2),
        .moved(from: 0..<1, to: 2..<3, isUpdated: false), .kept(from: 3..<4, to: 3..<4),
        .inserted(4..<6), .deleted(4..<6),
      ])
    #expect(pieces.map(\.old) == [1..<2, 2..<3, 0..<1, 3..<4, nil, 4..<6])
    #expect(pieces.map(\.new) == [0..<1, 1..<2, 2..<3, 3..<4, 4..<6, nil])
    #expect(pieces.map(\.isUpdated) == [true, false, false, false, false, false])
  }

  @Test func neighboursAreMerged() {
    #expect(
      pieces {
        $0.insert(8, at: 4)
        $0.insert(7, at: 4)
      } == [.kept(from: 0..<4, to: 0..<4), .inserted(4..<6), .kept(from: 4..<6, to: 6..<8)])
    #expect(
      pieces {
        $0.move(from: 5, to: 0)
        $0.move(from: 5, to: 0)
      } == [.moved(from: 4..<6, to: 0..<2, isUpdated: false), .kept(from: 0..<4, to: 2..<6)])
    #expect(
      pieces {
        $0.move(from: 0, to: 5)
        $0.move(from: 5, to: 0)
        $0.append(9)
      } == [.kept(from: 0..<6, to: 0..<6), .inserted(6..<7)])
  }

  @Test func piecesOfAnEmptyListAreNew() {
    let list = CollectionProperty<[Int]>()
    var pieces: [ListPiece] = []
    list.observe { pieces += $0.changes?.pieces ?? [] }
    list.append(contentsOf: 0..<3)
    list.removeAll()
    #expect(pieces == [.inserted(0..<3), .deleted(0..<3)])
  }

  @Test func manyEditsArePieces() {
    let list = CollectionProperty(Array(0..<1_000))
    let validator = ListValidator(list)
    var pieces: [ListPiece] = []
    list.observe { pieces += $0.changes?.pieces ?? [] }
    list.batch { for index in stride(from: 0, to: 1_000, by: 5) { list[index] = -1 } }
    #expect(pieces.count == 400 && pieces.count(where: \.isUpdated) == 200)
    #expect(validator.problems == [])
  }

  @Test func sectionsWithChangedItemsAreUpdated() {
    let sections = CollectionProperty(sections: [
      ListSection("A", ["a"]), ListSection("B", ["b"]), ListSection("C", ["c"]),
    ])
    var pieces: [ListPiece] = []
    sections.observe { pieces += $0.changes?.pieces ?? [] }
    sections.batch {
      sections.append("b2", toSection: 1)
      sections.removeSection(at: 0)
    }
    #expect(
      pieces == [
        .deleted(0..<1), .updated(from: 1..<2, to: 0..<1), .kept(from: 2..<3, to: 1..<2),
      ])
  }
}
