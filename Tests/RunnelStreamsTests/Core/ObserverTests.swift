import RunnelStreams
import Testing

@Suite struct ObserverTests {
  /// The `end` closure of this observer does not capture the observation, so the observer must.
  @Test func retainsItsObservation() {
    var seen: [Int] = []
    weak var observation: Disposable?
    func make() -> Observer<Int, Never> {
      let made = Disposable()
      observation = made
      return Observer(next: { seen.append($0) }, end: { _ in seen.append(0) }, observation: made)
    }
    var observer: Observer<Int, Never>? = make()
    #expect(observation != nil)
    var step = observer.map { observer in Observer(before: observer) { observer.next($0 * 10) } }
    observer = nil
    #expect(observation != nil)
    #expect(step?.isActive == true)
    step?.next(1)
    step?.completed()
    #expect(seen == [10, 0])
    step = nil
    #expect(observation == nil)
  }

  @Test func sendsNothingAfterTheObservationEnds() {
    var seen: [Int] = []
    let observation = Disposable()
    let observer = Observer<Int, Never>(
      next: { seen.append($0) }, end: { _ in seen.append(0) }, observation: observation)
    #expect(observer.observation === observation)
    observer.next(1)
    observation.dispose()
    observer.next(2)
    observer.completed()
    #expect(seen == [1])
    #expect(!observer.isActive)
  }
}
