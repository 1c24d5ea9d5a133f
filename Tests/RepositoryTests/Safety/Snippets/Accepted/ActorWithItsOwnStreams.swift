import RunnelStreams

actor Account {
  private let amounts = PushStream<Int>()
  private let balance = Property(0)
  private let bag = DisposeBag()
  private var changes = 0

  func open() {
    amounts.filter { $0 != 0 }.observeNext { self.balance.value += $0 }.disposed(by: bag)
    balance.observeNext { _ in self.changes += 1 }.disposed(by: bag)
  }

  func add(_ amount: Int) { amounts.next(amount) }
  var current: Int { balance.value }
}

@MainActor func use(_ account: Account) async {
  await account.add(1)
  print(await account.current)
}
