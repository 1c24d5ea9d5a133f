import RunnelTesting
import Testing

@testable import RunnelStreams

@Suite struct WorkTests {
  private typealias Work = RunnelStreams.Work

  private final class Source: PausableSource {
    private(set) var pauses = 0
    func pause() { pauses += 1 }
    func resume() { pauses -= 1 }
  }

  private let work = Work.forObservation()
  private let source = Source()
  private var isHeld: Bool { source.pauses > 0 }

  /// Runs a closure as an inner stream of an operator.
  private func run<Output>(in work: Work, _ body: () -> Output) -> Output {
    let outer = Delivery.setWork(work)
    defer { _ = Delivery.setWork(outer) }
    return body()
  }

  private func begin(in work: Work) throws -> Work.Piece {
    try #require(run(in: work) { Work.Piece.begin() })
  }

  private func hold(by work: Work) { Delivery.from(source) { work.hold() } }

  @Test func sourceIsHeldWhileWorkIsInProgress() throws {
    hold(by: work)
    #expect(!isHeld)
    let piece = try begin(in: work)
    hold(by: work)
    #expect(isHeld)
    piece.tearDown()
    #expect(!isHeld)
    piece.tearDown()
    hold(by: work)
    #expect(!isHeld)
  }

  @Test func sourceWaitsForTheLastPiece() throws {
    let (first, second) = (try begin(in: work), try begin(in: work))
    hold(by: work)
    first.tearDown()
    #expect(isHeld)
    second.tearDown()
    #expect(!isHeld)
  }

  @Test func roomResumesTheSourceDuringWork() throws {
    let piece = try begin(in: work)
    hold(by: work)
    work.beginChange()
    work.endChange(hasRoom: false)
    #expect(isHeld)
    work.beginChange()
    work.endChange(hasRoom: true)
    #expect(!isHeld)
    piece.tearDown()
  }

  @Test func onlyTheOuterChangeResumesTheSource() throws {
    let piece = try begin(in: work)
    hold(by: work)
    work.beginChange()
    work.beginChange()
    work.endChange(hasRoom: true)
    #expect(isHeld)
    work.endChange(hasRoom: true)
    #expect(!isHeld)
    piece.tearDown()
  }

  @Test("A piece that follows another one in the same change keeps the source waiting")
  func followingPieceKeepsTheSourceWaiting() throws {
    let first = try begin(in: work)
    hold(by: work)
    work.beginChange()
    first.tearDown()
    #expect(isHeld)
    let second = try begin(in: work)
    work.endChange(hasRoom: false)
    #expect(isHeld)
    work.beginChange()
    second.tearDown()
    #expect(isHeld)
    work.endChange(hasRoom: false)
    #expect(!isHeld)
  }

  @Test func theEndOfAnOperatorResumesTheSource() throws {
    let piece = try begin(in: work)
    hold(by: work)
    work.resumeSources()
    #expect(!isHeld)
    piece.tearDown()
  }

  @Test func workOfAnInnerOperatorCounts() throws {
    let inner = run(in: work) { Work.forObservation() }
    let piece = try begin(in: inner)
    hold(by: work)
    #expect(isHeld)
    piece.tearDown()
    #expect(!isHeld)
    hold(by: work)
    #expect(!isHeld)
  }

  @Test func resultsOfAPieceBelongToItsOperator() throws {
    let (piece, other) = (try begin(in: work), Work.forObservation())
    run(in: other) {
      var delivered: Work?
      piece.deliver { delivered = Delivery.work }
      #expect(delivered === work)
      #expect(Delivery.work === other)
    }
    #expect(Work.Piece.begin() == nil)
    var deliveries = 0
    (nil as Work.Piece?).deliver { deliveries += 1 }
    #expect(deliveries == 1)
    piece.tearDown()
  }
}
