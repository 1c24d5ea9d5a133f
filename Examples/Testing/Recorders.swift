import Runnel
import RunnelTesting

let scheduler = TestScheduler()
let sizes = scheduler.cold("--a-b-|", values: ["a": 10, "b": 20])
let recorder = scheduler.record(sizes.map { $0 + 1 })
scheduler.run()
print(recorder.elements)
print(sizes.observations == [ObservationSpan(from: .zero, to: .seconds(6))])

let lines = EventStream<String, Never>.sequence(["1", "a", "3"])
let all = lines.toArray().record()
print(all.elements, all.isCompleted)

// Output:
// [11, 21]
// true
// [["1", "a", "3"]] true
