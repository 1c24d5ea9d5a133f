import Runnel

@Sendable func slowly(_ number: Int) -> Int { number * number }  // imagine that it takes long

let worker = EventLoop(name: "worker")
let measurements = PushStream<Int>()
let guests = Property(["Jim"])
let results = Property<[Int]>([])

measurements.via(worker) { $0.map(slowly) }.observeNext { number in results.value.append(number) }
measurements.observe(on: worker) { event in print("measured: \(event)") }
EventStream.perform(on: worker) { slowly(4) }.observeNext { number in results.value.append(number) }
let remote = guests.remote
worker.execute { remote.send { guests in guests.mutate { $0.append("John") } } }

measurements.next(3)
EventLoop.main.run(until: results.filter { $0.count == 2 })
EventLoop.main.run(until: guests.filter { $0.count == 2 })
print(results.value.sorted(), guests.value)

// Output:
// measured: next(3)
// [9, 16] ["Jim", "John"]
