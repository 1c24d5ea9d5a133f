import Checking
import Notepads
import RunnelProxies
import RunnelStreams

// The dial of the guide to proxies, in `main.swift`. The module has no conformer of its own.

@Proxied
@MainActor
protocol DialDelegate: AnyObject {
  func dial(_ dial: Dial, didTurnTo angle: Int)
  @Default(true) func dial(_ dial: Dial, shouldTurnTo angle: Int) -> Bool
  func title(of dial: Dial) -> String
}

@MainActor
final class Dial: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any DialDelegate)?
  var rDelegate: DialDelegateProxy { proxy(for: \.delegate) }

  func turn(to angle: Int) {
    guard delegate?.dial(self, shouldTurnTo: angle) ?? true else { return }
    delegate?.dial(self, didTurnTo: angle)
  }
}

let dial = Dial()
var angles: [Int] = []
dial.rDelegate.stream(\.dial_didTurnTo).observeNext { _, angle in angles.append(angle) }
dial.rDelegate.answer(\.title_of) { _ in "Volume" }
dial.turn(to: 30)
let limit = dial.rDelegate.answer(\.dial_shouldTurnTo) { _, angle in angle <= 90 }
dial.turn(to: 100)
limit.dispose()
dial.turn(to: 110)
checkEqual(angles, [30, 110])
checkEqual(dial.delegate?.title(of: dial), "Volume")

// A refined protocol, whose proxy has the requirements of both.

@Proxied
@MainActor
protocol ScrollDelegate: AnyObject {
  func didScroll(to row: Int)
}

@Proxied(refining: ScrollDelegate.self)
@MainActor
protocol TableDelegate: ScrollDelegate {
  @Default(false) func canSelect(_ row: Int) -> Bool
}

@MainActor func scroll(_ delegate: any ScrollDelegate, to row: Int) { delegate.didScroll(to: row) }

let table = TableDelegateProxy()
var rows: [Int] = []
table.stream(\.didScroll_to).observeNext { rows.append($0) }
scroll(table, to: 5)
(table as any TableDelegate).didScroll(to: 6)
checkEqual(rows, [5, 6])
check(!(table as any TableDelegate).canSelect(1))
table.answer(\.canSelect) { $0 == 1 }
check((table as any TableDelegate).canSelect(1))

// A protocol with an associated type and an operator.

@Proxied
protocol Picker<Item>: AnyObject {
  associatedtype Item: Equatable
  func picked(_ item: Item)
  static func += (picker: Self, item: Item)
}

func pick<Item>(_ item: Item, with picker: any Picker<Item>) { picker.picked(item) }

let picker = PickerProxy<String>()
var items: [String] = []
picker.stream(\.picked).observeNext { items.append($0) }
pick("Emma", with: picker)
checkEqual(items, ["Emma"])

// Asynchronous and throwing requirements.

struct Refused: Error {}

@Proxied
@MainActor
protocol ShopDelegate: AnyObject {
  func price(of title: String) async throws(Refused) -> Int
}

let shop = ShopDelegateProxy()
shop.answer(\.price_of) { title throws(Refused) in
  guard title != "Dune" else { throw Refused() }
  return title.count
}
checkEqual(try await (shop as any ShopDelegate).price(of: "Emma"), 4)
do throws(Refused) {
  _ = try await (shop as any ShopDelegate).price(of: "Dune")
  check(false, "The question should have failed.")
} catch {}

// Callbacks.

@MainActor final class Player {
  var onFinished: ((String, Int) -> Void)?
}

let player = Player()
let finished = CallbackProxy(of: player) { $0.onFinished = $1 }
var songs: [String] = []
finished.stream.observeNext { song, seconds in songs.append("\(song): \(seconds) s") }
player.onFinished?("Blue", 200)
checkEqual(songs, ["Blue: 200 s"])

checkNotepad()
