import Runnel

let texts = PushStream<String>()
let observation =
  texts
  .debug("typed")
  .map { $0.count }
  .distinctUntilChanged()
  .debug("length")
  .observeNext { print("shown:", $0) }

texts.next("tea")
texts.next("sea")  // the same length, so it ends between the two probes
observation.dispose()

// Output:
// [length] subscribed
// [typed] subscribed
// [typed] -> Event next(tea)
// [length] -> Event next(3)
// shown: 3
// [typed] -> Event next(sea)
// [length] dispose
// [typed] dispose
