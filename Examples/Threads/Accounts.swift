import Runnel

actor Account {
  private let loop: EventLoop
  private let amounts = PushStream<Int>()
  private let balance = Property(0)
  private let bag = DisposeBag()

  init(on loop: EventLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func open(showing label: Remote<Property<String>>) {
    amounts.observeNext { amount in self.balance.value += amount }.disposed(by: bag)
    balance
      .throttle(for: .milliseconds(5))  // the loop is the scheduler
      .observeNext { balance in label.send { $0.value = "\(balance) euros" } }
      .disposed(by: bag)
  }

  func pay(_ amount: Int) { amounts.next(amount) }
  func current() -> Int { balance.value }
}

let label = Property("")
let account = Account(on: EventLoop(name: "bank"))
await account.open(showing: label.remote)
await account.pay(30)
await account.pay(12)
print("the account has", await account.current())
print("the label shows", await label.filter { $0 == "42 euros" }.first() ?? "")

// Output:
// the account has 42
// the label shows 42 euros
