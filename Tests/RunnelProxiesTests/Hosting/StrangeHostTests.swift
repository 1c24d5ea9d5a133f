import RunnelProxies
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

private class Base: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any ScrollDelegate)?
  var fromBase: ScrollDelegateProxy { proxy(for: \.delegate) }
}

private class Derived: Base {
  var fromDerived: ScrollDelegateProxy { proxy(for: \.delegate) }
}

private final class Generic<Element>: ProxyHost {
  let proxies = ProxyStore()
  var elements: [Element] = []
  weak var delegate: (any ScrollDelegate)?
  var rDelegate: ScrollDelegateProxy { proxy(for: \.delegate) }
}

/// A host whose slot retains its value, counts writes, and refuses writes while it is locked.
private final class LockableHost: ProxyHost {
  let proxies = ProxyStore()
  var isLocked = false
  var writes = 0
  var kept: (any ScrollDelegate)?
  // Safety: the value that is set outlives the test.
  unowned var bare: (any ScrollDelegate)?
  var onSet: () -> Void = {}
  var rDelegate: ScrollDelegateProxy { proxy(for: \.delegate) }
  var rBare: ScrollDelegateProxy { proxy(for: \.bare) }
  var delegate: (any ScrollDelegate)? {
    get { kept }
    set {
      writes += 1
      if !isLocked { kept = newValue }
      onSet()
    }
  }
}

private final class LoggingDelegate: ScrollDelegate {
  var rows: [Int] = []
  func didScroll(to row: Int) { rows.append(row) }
}

@Suite struct StrangeHostTests {
  @Test func aSubclassSharesTheProxyOfItsSuperclass() {
    let derived = Derived()
    let base: Base = derived
    #expect(base.fromBase === derived.fromDerived)
    let other: ScrollDelegateProxy = base.proxy(for: \.delegate)
    let another: ScrollDelegateProxy = derived.proxy(for: \.delegate)
    #expect(other === base.fromBase)
    #expect(another === base.fromBase)
    #expect(base.fromBase.forwardTo == nil)
    let target = LoggingDelegate()
    derived.delegate = target
    for proxy in [base.fromBase, derived.fromDerived, base.fromBase] {
      #expect(proxy === other)
      #expect(proxy.forwardTo === target)
    }
    derived.delegate?.didScroll(to: 1)
    #expect(target.rows == [1])
  }

  @Test func subclassAndSuperclassFindALaterDelegate() {
    let derived = Derived()
    let base: Base = derived
    var rows: [Int] = []
    let first: ScrollDelegateProxy = base.proxy(for: \.delegate)
    first.stream(\.didScroll_to).observeNext { rows.append($0) }
    let target = LoggingDelegate()
    derived.delegate = target
    let second: ScrollDelegateProxy = derived.proxy(for: \.delegate)
    second.stream(\.didScroll_to).observeNext { rows.append($0 * 10) }
    for _ in 1...3 {
      _ = base.proxy(for: \.delegate) as ScrollDelegateProxy
      _ = derived.proxy(for: \.delegate) as ScrollDelegateProxy
    }
    derived.delegate?.didScroll(to: 1)
    #expect(Set(rows) == [1, 10])
    #expect(rows.count == 2)
    #expect(target.rows == [1])
  }

  @Test func aGenericHostHasOneProxyPerInstance() {
    let numbers = Generic<Int>()
    let texts = Generic<String>()
    #expect(numbers.rDelegate === numbers.rDelegate)
    #expect(texts.rDelegate !== numbers.rDelegate)
  }

  @Test func aProxyBeforeTheHostsProxyStays() {
    let list = SongList()
    var log: [String] = []
    list.rDelegate.stream(\.rowsDidChange).observeNext { log.append("the list's") }
    let mine = SongListDelegateProxy()
    mine.stream(\.rowsDidChange).observeNext { log.append("mine") }
    mine.forwardTo = list.rDelegate
    list.delegate = mine
    let controller = Controller()
    list.rDelegate.forwardTo = controller
    list.delegate?.rowsDidChange()
    #expect(log == ["mine", "the list's"])
    #expect(list.delegate === mine)
    #expect(controller.log == ["rows"])
  }

  @Test func aCycleOfProxiesTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let proxies = [ScrollDelegateProxy(), ScrollDelegateProxy(), ScrollDelegateProxy()]
      proxies[0].forwardTo = proxies[1]
      proxies[1].forwardTo = proxies[2]
      proxies[2].forwardTo = proxies[0]
    }
    #expect(result.says("or a proxy that forwards to it"))
  }

  @Test func aSlotMayRetainItsDelegate() {
    weak var released: LockableHost?
    do {
      let host = LockableHost()
      released = host
      let target = LoggingDelegate()
      host.delegate = target
      let proxy = host.rDelegate
      #expect(host.rDelegate === proxy)
      #expect(host.writes == 2)
      host.delegate?.didScroll(to: 3)
      #expect(target.rows == [3])
    }
    #expect(released == nil)
  }

  @Test func aSlotMayRefuseTheProxy() {
    let host = LockableHost()
    let target = LoggingDelegate()
    host.delegate = target
    host.isLocked = true
    let proxy = host.rDelegate
    #expect(host.rDelegate === proxy)
    #expect(host.delegate === target)
    host.isLocked = false
    var rows: [Int] = []
    host.rDelegate.stream(\.didScroll_to).observeNext { rows.append($0) }
    host.delegate?.didScroll(to: 4)
    #expect(rows == [4])
    #expect(target.rows == [4])
  }

  @Test func aSlotMayRequestItsProxyInTheSetter() {
    let host = LockableHost()
    var found: [ScrollDelegateProxy] = []
    host.onSet = { [unowned host] in found.append(host.rDelegate) }
    let proxy = host.rDelegate
    host.onSet = {}
    #expect(found.count == 1)
    #expect(found.first === proxy)
  }

  @Test func aSlotMayBeUnowned() {
    let host = LockableHost()
    let proxy = host.rBare
    #expect(host.rBare === proxy)
    var rows: [Int] = []
    proxy.stream(\.didScroll_to).observeNext { rows.append($0) }
    host.bare?.didScroll(to: 5)
    #expect(rows == [5])
  }
}
