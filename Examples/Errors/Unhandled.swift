import Runnel

struct DiskFull: Error {}

Hooks.unhandledFailure = { failure in
  print("unhandled: \(failure.error) at line \(failure.location.line)")
}

let saving = EventStream<Void, DiskFull>.failed(DiskFull())
saving.observeNext { print("Saved.") }
saving.observe(failed: { print("handled: \($0)") })
saving.ignoreFailure().observe(completed: { print("completed") })

// Output:
// unhandled: DiskFull() at line 10
// handled: DiskFull()
// unhandled: DiskFull() at line 12
// completed
