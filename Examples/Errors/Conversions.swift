import Runnel

struct NotANumber: Error { let text: String }

func number(_ text: String) throws(NotANumber) -> Int {
  guard let number = Int(text) else { throw NotANumber(text: text) }
  return number
}

let texts = EventStream<String, Never>.sequence(["1", "two", "3"])

// The first error ends the stream.
let numbers = texts.failing(with: NotANumber.self).map(number)
numbers.materialize().observeNext { print("event:", $0) }

// Each text has a result of its own, and the stream goes on.
texts
  .map { text in Result { () throws(NotANumber) in try number(text) } }
  .observeNext { result in
    switch result {
    case .success(let number): print("number:", number)
    case .failure(let error): print("no number:", error.text)
    }
  }

// A failure of work for one element does not end the stream of elements.
texts
  .flatMap { text in
    EventStream<String, NotANumber>.just(text).map(number).recover(with: 0)
  }
  .observeNext { print("or zero:", $0) }

// Output:
// event: next(1)
// event: failed(NotANumber(text: "two"))
// number: 1
// no number: two
// number: 3
// or zero: 1
// or zero: 0
// or zero: 3
