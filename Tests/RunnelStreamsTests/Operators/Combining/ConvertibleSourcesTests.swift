import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Operators with several sources take properties, traits and controls without `.stream`.
@Suite struct ConvertibleSourcesTests {
  private let name = Property("Jim")
  private let age = Property(33)
  private let taps = PushStream<Int>()

  @Test func combineLatestTakesProperties() {
    let all = EventStream.combineLatest(name, age, taps, name, age)
      .map { a, b, c, d, e in "\(a)\(b)\(c)\(d)\(e)" }.record()
    let four = EventStream.combineLatest(name, age, taps, name).map { "\($0)\($1)\($2)\($3)" }
      .record()
    let three = EventStream.combineLatest(name, taps, age).map { "\($0)\($1)\($2)" }.record()
    let two = EventStream.combineLatest(name, age).map { "\($0)\($1)" }.record()
    let method = name.combineLatest(age, taps, name).map { "\($0)\($1)\($2)\($3)" }.record()
    taps.next(1)
    #expect(all.elements == ["Jim331Jim33"])
    #expect(four.elements == ["Jim331Jim"])
    #expect(three.elements == ["Jim133"])
    #expect(two.elements == ["Jim33"])
    #expect(method.elements == four.elements)
  }

  @Test func combineLatestTakesACollectionOfProperties() {
    let fields = [Property(true), Property(false)]
    let recorder = EventStream.combineLatest(fields).record()
    fields[1].value = true
    #expect(recorder.elements == [[true, false], [true, true]])
    let zipped = EventStream.zip(fields).record()
    #expect(zipped.elements == [[true, true]])
  }

  @Test func zipTakesPropertiesAndTraits() {
    let single = Single<Int, Never>.just(7)
    #expect(EventStream.zip(name, single).map { "\($0)\($1)" }.record().elements == ["Jim7"])
    #expect(
      EventStream.zip(name, single, age).map { "\($0)\($1)\($2)" }.record().elements
        == ["Jim733"])
    #expect(
      EventStream.zip(name, single, age, name).map { "\($0)\($1)\($2)\($3)" }.record().elements
        == ["Jim733Jim"])
    #expect(name.zip(age).map { "\($0)\($1)" }.record().elements == ["Jim33"])
  }

  @Test func withLatestFromTakesProperties() {
    let one = taps.withLatestFrom(name).map { "\($0)\($1)" }.record()
    let two = taps.withLatestFrom(name, age).map { "\($0)\($1)\($2)" }.record()
    let three = taps.withLatestFrom(name, age, name).map { "\($0)\($1)\($2)\($3)" }.record()
    taps.next(1)
    #expect(one.elements == ["1Jim"])
    #expect(two.elements == ["1Jim33"])
    #expect(three.elements == ["1Jim33Jim"])
  }

  @Test func mergeAndAmbTakeProperties() {
    let other = Property(5)
    let merged = EventStream<Int, Never>.merge(age, taps, other).record()
    let listed = EventStream<Int, Never>.merge([age, other]).record()
    let method = taps.merge(age).record()
    let first = EventStream<Int, Never>.amb(taps, age).record()
    taps.next(1)
    #expect(merged.elements == [33, 5, 1])
    #expect(listed.elements == [33, 5])
    #expect(method.elements == [33, 1])
    #expect(first.elements == [33])
  }

  @Test func concatenationTakesPropertiesAndTraits() {
    let single = Single<Int, Never>.just(7)
    #expect(EventStream<Int, Never>.concat(single, single, age).record().elements == [7, 7, 33])
    #expect(EventStream<Int, Never>.just(1).append(age).record().elements == [1, 33])
    #expect(EventStream<Int, Never>.completed.ifEmpty(switchTo: age).record().elements == [33])
    #expect(EventStream<Int, Broken>.failed(Broken()).recover(with: age).record().elements == [33])
  }

  @Test func implicitMembersStillWork() {
    #expect(EventStream<Int, Never>.merge(.just(1), .never).record().elements == [1])
    #expect(EventStream<Int, Never>.just(1).append(.just(2)).record().elements == [1, 2])
    #expect(
      EventStream<[Int], Never>.combineLatest([.just(1), .just(2)]).record().elements == [[1, 2]])
  }
}
