import RunnelStreams
import RunnelTesting

let scheduler = TestScheduler()
let keys = scheduler.hot("a-b--c------d|")
let recorder = scheduler.record(keys.debounce(for: .seconds(3), on: scheduler))
scheduler.run()
print(recorder.marbles)

// Output:
// --------c----(d|)
