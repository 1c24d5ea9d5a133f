import Runnel

@MainActor
final class Greeter {
  private let bag = DisposeBag()

  init(of names: PushStream<String>) {
    names.observeNext(weak: self) { greeter, name in greeter.greet(name) }.disposed(by: bag)
  }

  func greet(_ name: String) { print("Hello, \(name)!") }
}

let names = PushStream<String>()
var greeter: Greeter? = Greeter(of: names)
names.next("Ann")
greeter = nil  // releases the bag, which ends the observation
names.next("Bob")
print("The second name had no observer.")

// Output:
// Hello, Ann!
// The second name had no observer.
