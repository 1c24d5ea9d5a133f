import RunnelProxies
import RunnelStreams
import RunnelTesting

/// A control with a delegate, as a client of the package would write it.
final class SongList: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any SongListDelegate)?
  weak var second: (any SongListDelegate)?

  var rDelegate: SongListDelegateProxy { proxy(for: \.delegate) }

  func select(_ row: Int) {
    delegate?.songList(self, didSelect: row)
  }
}

struct Silence: Error, Equatable {}

@Proxied
protocol ScrollDelegate: AnyObject {
  func didScroll(to row: Int)
}

@Proxied(refining: ScrollDelegate.self)
protocol SongListDelegate: ScrollDelegate {
  func songList(_ list: SongList, didSelect row: Int)
  @Default(true) func songList(_ list: SongList, shouldSelect row: Int) -> Bool
  func title(of row: Int) -> String
  func rename(_ title: inout String)
  func play(_ row: Int) throws(Silence) -> Int
  func price(of row: Int) async throws(Silence) -> Int
  func visit(_ body: (Int) -> Void)
  var volume: Int { get set }
  func rowsDidChange()
  func drop(_ rows: Int...)
}

/// A delegate that logs its calls.
final class Controller: SongListDelegate {
  var log: [String] = []
  var volume = 1 { didSet { log.append("volume \(volume)") } }
  var maySelect = true

  func didScroll(to row: Int) { log.append("scroll \(row)") }
  func songList(_ list: SongList, didSelect row: Int) { log.append("select \(row)") }
  func songList(_ list: SongList, shouldSelect row: Int) -> Bool {
    log.append("may select \(row)")
    return maySelect
  }
  func title(of row: Int) -> String { "Song \(row)" }
  func rename(_ title: inout String) { title += "!" }
  func play(_ row: Int) throws(Silence) -> Int {
    if row < 0 { throw Silence() }
    return row
  }
  func price(of row: Int) async throws(Silence) -> Int { row * 10 }
  func visit(_ body: (Int) -> Void) { body(7) }
  func rowsDidChange() { log.append("rows") }
  func drop(_ rows: Int...) { log.append("drop \(rows)") }
}
