import Runnel

Resources.startTracking()
let names = PushStream<String>()
let observation = names.debug("names").map { $0.count }.observeNext { print($0) }
names.next("Ann")
print(Resources.shared.total)
observation.dispose()
print(Resources.shared.total)

// Output:
// [names] subscribed
// [names] -> Event next(Ann)
// 3
// 2
// [names] dispose
// 1
