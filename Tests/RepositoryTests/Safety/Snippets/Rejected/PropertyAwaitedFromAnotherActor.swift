// expect: non-Sendable type 'Property<Int>' of property 'balance' cannot exit actor-isolated context
import RunnelStreams

actor Account {
  let balance = Property(0)
}

@MainActor func reset(_ account: Account) async {
  let balance = await account.balance
  balance.value = 0
}
