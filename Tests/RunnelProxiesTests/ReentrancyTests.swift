import RunnelProxies
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Reentrant operations inside a call of a proxy.
@Suite struct ReentrancyTests {
  @Test func aClosureMayCallTheDelegate() {
    let proxy = SongListDelegateProxy()
    let controller = Controller()
    proxy.forwardTo = controller
    var depth = 0
    proxy.answer(\.play) { row in
      depth += 1
      if row > 0 { _ = try? proxy.play(row - 1) }
      var title = ""
      proxy.rename(&title)
      proxy.rowsDidChange()
      proxy.volume += 1
      return depth
    }
    #expect((try? proxy.play(3)) == 4)
    #expect(controller.log.filter { $0 == "rows" }.count == 4)
    #expect(controller.volume == 5)
  }

  @Test func callsMayNestAThousandLevels() {
    let list = SongList()
    var rows: [Int] = []
    list.rDelegate.stream(\.songList_didSelect).observeNext { list, row in
      rows.append(row)
      if row < 1_000 { list.select(row + 1) }
    }
    list.select(1)
    #expect(rows == Array(1...1_000))
  }

  @Test func aClosureMayObserveAndDisposeStreams() {
    let list = SongList()
    var log: [String] = []
    var later: [Disposable] = []
    let first = list.rDelegate.stream(\.rowsDidChange).observeNext {
      log.append("first")
      later.append(list.rDelegate.stream(\.rowsDidChange).observeNext { log.append("new") })
    }
    list.delegate?.rowsDidChange()
    #expect(log == ["first"])
    first.dispose()
    list.delegate?.rowsDidChange()
    #expect(log == ["first", "new"])
    for observation in later { observation.dispose() }
    list.delegate?.rowsDidChange()
    #expect(log == ["first", "new"])
  }

  @Test func anAnswerMayDisposeItself() {
    let proxy = SongListDelegateProxy()
    var released = 0
    let bag = CompositeDisposable()
    do {
      let captive = Captive { released += 1 }
      bag.add(
        proxy.answer(\.title_of) { row in
          bag.dispose()
          captive.hold()
          return "last \(row)"
        })
    }
    #expect(proxy.title(of: 1) == "last 1")
    #expect(released == 1)
    let controller = Controller()
    proxy.forwardTo = controller
    #expect(proxy.title(of: 2) == "Song 2")
  }

  @Test func aReleasedCaptureMayCallTheProxy() {
    let proxy = SongListDelegateProxy()
    var log: [String] = []
    var answering: Disposable?
    do {
      let captive = Captive {
        proxy.answer(\.title_of) { _ in "from the end" }
        log.append(proxy.title(of: 0))
      }
      answering = proxy.answer(\.title_of) { _ in
        captive.hold()
        return "first"
      }
    }
    answering?.dispose()
    answering = nil
    #expect(log == ["from the end"])
  }

  /// An observer's capture calls the proxy when it is released. The closure of the disposed stream
  /// must not be called.
  @Test func disposalRemovesTheClosureFirst() {
    let proxy = SongListDelegateProxy()
    var log: [String] = []
    func observe<Element>(
      _ stream: EventStream<Element, Never>, _ onRelease: @escaping () -> Void
    ) -> Disposable {
      let captive = Captive(onRelease: onRelease)
      return stream.observeNext { _ in captive.hold() }
    }
    observe(
      proxy.stream(\.rowsDidChange) { (_: PushStream<Void>) in log.append("told") }
    ) { proxy.rowsDidChange() }.dispose()
    observe(
      proxy.stream(\.title_of) { (_: PushStream<Void>, row) in
        log.append("asked")
        return "\(row)"
      }
    ) {
      proxy.answer(\.title_of) { _ in "last" }
      log.append(proxy.title(of: 0))
    }.dispose()
    #expect(log == ["last"])
  }

  @Test func theHostMayBeReleasedDuringACall() {
    var list: SongList? = SongList()
    weak let held = list
    var log: [String] = []
    list?.rDelegate.stream(\.rowsDidChange).observe(
      next: {
        log.append("rows")
        list = nil
        log.append("released")
      }, completed: { log.append("end") })
    let proxy = list?.rDelegate
    proxy?.rowsDidChange()
    proxy?.rowsDidChange()
    #expect(log.sorted() == ["end", "released", "rows"])
    #expect(held == nil)
  }

  @Test func theProxyMayBeReleasedDuringAnAnswer() {
    var proxy: SongListDelegateProxy? = SongListDelegateProxy()
    weak let held = proxy
    proxy?.answer(\.title_of) { row in
      proxy = nil
      return "\(row)"
    }
    #expect(proxy?.title(of: 1) == "1")
    #expect(held == nil)
  }

  @Test func theTargetMayBeReleasedDuringACall() {
    final class RemovableDelegate: ScrollDelegate {
      var log: (Int) -> Void = { _ in }
      var remove: () -> Void = {}
      func didScroll(to row: Int) {
        remove()
        log(row)
      }
    }
    let proxy = ScrollDelegateProxy()
    var rows: [Int] = []
    do {
      let target = RemovableDelegate()
      target.log = { rows.append($0) }
      target.remove = { proxy.forwardTo = nil }
      proxy.forwardTo(target, retained: true)
    }
    proxy.didScroll(to: 1)
    proxy.didScroll(to: 2)
    #expect(rows == [1])
  }

  @Test func aReleasedTargetMaySetAnother() {
    final class ReleaseProbe: ScrollDelegate {
      var onRelease: () -> Void = {}
      deinit { onRelease() }
      func didScroll(to row: Int) {}
    }
    let proxy = ScrollDelegateProxy()
    let last = ReleaseProbe()
    do {
      let target = ReleaseProbe()
      target.onRelease = { proxy.forwardTo(last, retained: true) }
      proxy.forwardTo(target, retained: true)
    }
    proxy.forwardTo = nil
    #expect(proxy.forwardTo === last)
  }

  @Test func anObserverMaySetTheTargetOfTheCall() {
    let list = SongList()
    let controller = Controller()
    list.rDelegate.stream(\.rowsDidChange).observeNext { list.rDelegate.forwardTo = controller }
    list.delegate?.rowsDidChange()
    #expect(controller.log == ["rows"])
  }

  @Test func theProxyMayBeRequestedDuringACall() {
    let list = SongList()
    let controller = Controller()
    var log: [String] = []
    list.rDelegate.stream(\.songList_didSelect).observeNext { list, row in
      list.delegate = controller
      #expect(list.rDelegate.forwardTo === controller)
      log.append("stream \(row)")
    }
    list.select(1)
    #expect(log == ["stream 1"])
    #expect(controller.log == ["select 1"])
  }

  @Test func completionMayObserveTheProxyAgain() {
    var list: SongList? = SongList()
    var log: [String] = []
    let proxy = list?.rDelegate
    proxy?.stream(\.rowsDidChange).observe(
      next: {},
      completed: {
        log.append("end")
        proxy?.stream(\.rowsDidChange).observe(next: {}, completed: { log.append("late") })
        proxy?.rowsDidChange()
      })
    list = nil
    #expect(log == ["end", "late"])
  }

  @Test func thousandsOfStreamsOfOneRequirement() {
    let list = SongList()
    let count = 20_000
    var heard = 0
    var ended = 0
    var told: [Disposable] = []
    var asked: [Disposable] = []
    for index in 0..<count {
      told.append(
        list.rDelegate.stream(\.songList_didSelect).observe(
          next: { heard += $1 }, completed: { ended += 1 }))
      asked.append(list.rDelegate.answer(\.title_of) { _ in "\(index)" })
    }
    list.select(1)
    #expect(heard == count)
    #expect(list.rDelegate.title(of: 0) == "\(count - 1)")
    for index in stride(from: 0, to: count, by: 2) {
      told[index].dispose()
      asked[count - 1 - index].dispose()
    }
    list.select(1)
    #expect(heard == count + count / 2)
    #expect(list.rDelegate.title(of: 0) == "\(count - 2)")
    for disposable in told + asked { disposable.dispose() }
    list.select(1)
    #expect(heard == count + count / 2)
    let controller = Controller()
    list.rDelegate.forwardTo = controller
    #expect(list.rDelegate.title(of: 0) == "Song 0")
  }
}
