// expect: actor-isolated property 'balance' can not be referenced from the main actor
import RunnelStreams

actor Account {
  let balance = Property(0)
}

@MainActor func reset(_ account: Account) {
  print(account.balance.isObserved)
}
