// expect: non-Sendable 'EventStream<Int, Never>'-typed result can not be returned from actor-isolated instance method
import RunnelStreams

actor Account {
  private let balance = Property(0)
  func changes() -> EventStream<Int, Never> { balance.stream }
}

@MainActor func show(_ account: Account) async {
  await account.changes().observeNext { print($0) }
}
