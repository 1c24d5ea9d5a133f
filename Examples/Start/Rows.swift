import Runnel

@Proxied
@MainActor
protocol TableDelegate: AnyObject {
  func table(_ table: Table, didSelectRowAt row: Int)
  @Default(true) func table(_ table: Table, shouldSelectRowAt row: Int) -> Bool
}

@MainActor
final class Table: ProxyHost {
  let proxies = ProxyStore()
  weak var delegate: (any TableDelegate)? { didSet { keepProxy(for: \.delegate) } }
  var rDelegate: TableDelegateProxy { proxy(for: \.delegate) }
  var selectedRow: EventStream<Int, Never> {
    rDelegate.stream(\.table_didSelectRowAt) { push, _, row in push.next(row) }
  }

  func click(row: Int) {
    if delegate?.table(self, shouldSelectRowAt: row) ?? true {
      delegate?.table(self, didSelectRowAt: row)
    }
  }
}

let table = Table()
table.selectedRow.observeNext { print("row \($0)") }
table.rDelegate.answer(\.table_shouldSelectRowAt) { _, row in row > 0 }
table.click(row: 0)
table.click(row: 3)

// Output:
// row 3
