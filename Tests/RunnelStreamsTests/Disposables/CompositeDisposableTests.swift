import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct CompositeDisposableTests {
  // MARK: Values

  @Test func disposesItsMembersInOrder() {
    var order: [Int] = []
    let members = (0..<3).map { number in Disposable { order.append(number) } }
    let composite = CompositeDisposable(members)
    composite.add(Disposable { order.append(3) })
    #expect(composite.count == 4)
    composite.dispose()
    composite.dispose()
    #expect(order == [0, 1, 2, 3])
    #expect(composite.isDisposed)
    #expect(composite.count == 0)
  }

  @Test func aRemovedMemberIsNotDisposed() throws {
    let composite = CompositeDisposable()
    let stays = Disposable()
    let leaves = Disposable()
    composite.add(stays)
    let key = try #require(composite.add(leaves))
    composite.remove(key)
    composite.remove(key)
    #expect(composite.count == 1)
    composite.dispose()
    #expect(stays.isDisposed)
    #expect(!leaves.isDisposed)
  }

  @Test func aFreeSlotIsReused() throws {
    let composite = CompositeDisposable()
    var keys: Set<CompositeDisposable.Key> = []
    for _ in 0..<1000 {
      let first = try #require(composite.add(Disposable()))
      let second = try #require(composite.add(Disposable()))
      keys.formUnion([first, second])
      composite.remove(first)
      composite.remove(second)
    }
    #expect(keys.count == 2)
    #expect(composite.count == 0)
  }

  @Test func agreesWithASet() {
    for seed in UInt64(1)...200 {
      var random = SeededGenerator(seed: seed)
      let composite = CompositeDisposable()
      var members: [(key: CompositeDisposable.Key, disposable: Disposable)] = []
      var removed: [Disposable] = []
      for _ in 0..<60 {
        if members.isEmpty || Bool.random(using: &random) {
          let disposable = Disposable()
          if let key = composite.add(disposable) { members.append((key, disposable)) }
        } else {
          let member = members.remove(at: Int.random(in: members.indices, using: &random))
          composite.remove(member.key)
          removed.append(member.disposable)
        }
        #expect(composite.count == members.count, "seed \(seed)")
      }
      composite.dispose()
      #expect(members.allSatisfy { $0.disposable.isDisposed }, "seed \(seed)")
      #expect(!removed.contains { $0.isDisposed }, "seed \(seed)")
    }
  }

  // MARK: Disposal

  @Test func aMemberAddedAfterDisposalIsDisposedAtOnce() {
    let composite = CompositeDisposable()
    composite.dispose()
    let late = Disposable()
    #expect(composite.add(late) == nil)
    #expect(late.isDisposed)
  }

  @Test func isDisposedWithItsParent() {
    let member = Disposable()
    let observation = Disposable()
    observation.add(CompositeDisposable([member]))
    observation.dispose()
    #expect(member.isDisposed)
  }

  // MARK: Reentrancy

  @Test func mayBeMutatedDuringDisposal() {
    let composite = CompositeDisposable()
    let late = Disposable()
    let last = Disposable()
    var key: CompositeDisposable.Key?
    composite.add(
      Disposable {
        composite.add(late)
        if let key { composite.remove(key) }
        composite.dispose()
      })
    key = composite.add(last)
    composite.dispose()
    #expect(late.isDisposed)
    #expect(last.isDisposed)
  }

  @Test(arguments: 0..<3)
  func aRemovedMembersCapturesMayAddMembers(place: Int) throws {
    let composite = CompositeDisposable()
    let added = [Disposable(), Disposable()]
    var keys: [CompositeDisposable.Key] = []
    for number in 0..<3 {
      let captive = Captive { if number == place { for new in added { composite.add(new) } } }
      keys.append(try #require(composite.add(Disposable { captive.hold() })))
    }
    composite.remove(keys[place])
    #expect(composite.count == 4)
    composite.dispose()
    #expect(added.allSatisfy { $0.isDisposed })
  }
}
