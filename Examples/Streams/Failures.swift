import Runnel

enum LoadError: Error {
  case offline
  case notANumber(String)
}

struct PageError: Error, CustomStringConvertible {
  let reason: LoadError
  var description: String { "The page is not loaded: \(reason)" }
}

// A search that works at its third attempt.
var attempts = 0
let search = EventStream<[String], LoadError>.deferred {
  attempts += 1
  return attempts < 3 ? .failed(.offline) : .just(["Emma"])
}
let front = EventStream<String, LoadError>.failed(.offline)

search.retry(3).recover(with: []).observeNext { print($0) }
front
  .mapFailure { PageError(reason: $0) }
  .observe(next: { print($0) }, failed: { print($0) })

let lines = EventStream<String, Never>.sequence(["1", "2", "three", "4"])
let numbers = lines.failing(with: LoadError.self).map { line throws(LoadError) in
  guard let number = Int(line) else { throw .notANumber(line) }
  return number
}
numbers.observe(next: { print($0) }, failed: { print($0) })

// Output:
// ["Emma"]
// The page is not loaded: offline
// 1
// 2
// notANumber("three")
