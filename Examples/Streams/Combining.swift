import Runnel

let taps = PushStream<Void>()
let shortcuts = PushStream<Void>()
let name = Property("Jim")
let age = Property(33)
let questions = PushStream<String>()
let answers = PushStream<String>()

// Each element, as it arrives.
taps.merge(shortcuts).observeNext { print("Saved.") }
// The latest of both, at each change.
EventStream.combineLatest(name, age).observeNext { print($0, $1) }
// The first of both, then the second of both, …
EventStream.zip(questions, answers).observeNext { print($0, $1) }

taps.next(())
shortcuts.next(())
age.value = 34
questions.next("Who?")
questions.next("When?")
answers.next("Ann.")

// Output:
// Jim 33
// Saved.
// Saved.
// Jim 34
// Who? Ann.
