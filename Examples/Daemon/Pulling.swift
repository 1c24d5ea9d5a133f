import Runnel

@MainActor func numbers(after start: Int) -> EventStream<Int, Never> {
  .deferred {
    var last = start
    return .pulled {
      last < 1_000_000 ? .sequence(last + 1...last + 100).do(next: { last = $0 }) : nil
    }
  }
}

numbers(after: 999_800).reduce(0) { count, _ in count + 1 }.observe(succeeded: {
  print("\($0) numbers")
})

// Output:
// 200 numbers
