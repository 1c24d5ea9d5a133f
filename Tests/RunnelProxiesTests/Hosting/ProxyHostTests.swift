import RunnelProxies
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ProxyHostTests {
  @Test func installsOneProxyPerSlot() {
    let list = SongList()
    #expect(list.delegate == nil)
    let proxy = list.rDelegate
    #expect(list.delegate === proxy)
    #expect(list.rDelegate === proxy)
    let second: SongListDelegateProxy = list.proxy(for: \.second)
    #expect(second !== proxy)
    #expect(list.second === second)
  }

  @Test func theExistingDelegateGetsEveryCall() {
    let list = SongList()
    let controller = Controller()
    list.delegate = controller
    #expect(list.rDelegate.forwardTo === controller)
    list.select(1)
    #expect(controller.log == ["select 1"])
  }

  @Test func aDelegateSetLaterBecomesTheForwardTarget() {
    let list = SongList()
    var rows: [Int] = []
    list.rDelegate.stream(\.songList_didSelect).observeNext { rows.append($1) }
    let controller = Controller()
    list.delegate = controller
    list.select(1)
    #expect(rows == [])
    #expect(list.rDelegate.forwardTo === controller)
    list.select(2)
    #expect(rows == [2])
    #expect(controller.log == ["select 1", "select 2"])
  }

  @Test func aKeptProxyStaysWhenADelegateIsSet() {
    final class Page: ProxyHost {
      let proxies = ProxyStore()
      weak var delegate: (any ScrollDelegate)? { didSet { keepProxy(for: \.delegate) } }
      var rDelegate: ScrollDelegateProxy { proxy(for: \.delegate) }
    }
    final class Reader: ScrollDelegate {
      var rows: [Int] = []
      func didScroll(to row: Int) { rows.append(row) }
    }
    let (page, first, second) = (Page(), Reader(), Reader())
    page.delegate = first
    #expect(page.delegate === first)
    var rows: [Int] = []
    page.rDelegate.stream(\.didScroll_to).observeNext { rows.append($0) }
    for (row, delegate) in [first, second, nil].enumerated() {
      page.delegate = delegate
      #expect(page.delegate === page.rDelegate)
      page.delegate?.didScroll(to: row)
    }
    let outer = ScrollDelegateProxy()
    outer.forwardTo = page.rDelegate
    page.delegate = outer
    page.delegate?.didScroll(to: 3)
    #expect(page.delegate === outer)
    #expect(rows == [0, 1, 2, 3] && first.rows == [0] && second.rows == [1])
  }

  @Test func removingTheDelegateRemovesTheTarget() {
    let list = SongList()
    let controller = Controller()
    list.rDelegate.forwardTo = controller
    list.delegate = nil
    #expect(list.rDelegate.forwardTo == nil)
    #expect(list.delegate === list.rDelegate)
  }

  @Test func theProxyLivesAndEndsWithItsHost() {
    var list: SongList? = SongList()
    var log: [String] = []
    list?.rDelegate.stream(\.rowsDidChange).observe(
      next: { log.append("rows") }, completed: { log.append("end") })
    let kept = list?.rDelegate
    list?.delegate?.rowsDidChange()
    list = nil
    #expect(log == ["rows", "end"])
    kept?.rowsDidChange()
    kept?.stream(\.rowsDidChange).observe(next: {}, completed: { log.append("late") })
    #expect(log == ["rows", "end", "late"])
  }

  @Test func theHostIsNotRetained() {
    weak var released: SongList?
    do {
      let list = SongList()
      released = list
      list.rDelegate.stream(\.rowsDidChange).observeNext {}
    }
    #expect(released == nil)
  }

  @Test func releasingAHostNotifiesItsObservers() {
    var list: SongList? = SongList()
    var hasGone = false
    list?.rx.deallocated().observeNext { hasGone = true }
    list = nil
    #expect(hasGone)
  }

  @Test func chainedProxiesAllReceiveCalls() {
    let list = SongList()
    let mine = SongListDelegateProxy()
    list.delegate = mine
    var log: [String] = []
    mine.stream(\.rowsDidChange).observeNext { log.append("mine") }
    list.rDelegate.stream(\.rowsDidChange).observeNext { log.append("the list's") }
    list.delegate?.rowsDidChange()
    #expect(log == ["the list's", "mine"])
  }
}
