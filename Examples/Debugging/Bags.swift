import Runnel

@MainActor
final class Player {
  private let clock: PushStream<Int>
  private let bag = DisposeBag()  // for the life of the player
  private var song = DisposeBag()  // for one song

  init(_ clock: PushStream<Int>) {
    self.clock = clock
    clock.observeNext { print("clock:", $0) }.disposed(by: bag)
  }

  func play(_ title: String) {
    song = DisposeBag()  // ends the observations of the song before
    clock.observeNext { print("\(title):", $0) }.disposed(by: song)
  }
}

let clock = PushStream<Int>()
var player: Player? = Player(clock)
player?.play("first")
clock.next(1)
player?.play("second")
clock.next(2)
player = nil  // ends all of them
clock.next(3)
print(clock.isObserved)

// Output:
// clock: 1
// first: 1
// clock: 2
// second: 2
// false
