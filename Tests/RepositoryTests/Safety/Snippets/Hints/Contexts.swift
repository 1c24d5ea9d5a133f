import RunnelStreams

@MainActor private func move(_ numbers: EventStream<Int, Never>, _ loop: any ExecutionContext) {
  // expect: 'observe(on:)' is unavailable: write via(context) { $0.map { } } around the steps, or
  //   observe(on:) { } at the end
  numbers.observe(on: loop).observeNext { print($0) }
  // expect: 'observeOn' is unavailable: write via(context) { $0.map { } } around the steps, or
  //   observe(on:) { } at the end
  numbers.observeOn(loop).observeNext { print($0) }
  // expect: 'observeIn' is unavailable: write via(context) { $0.map { } } around the steps, or
  //   observe(on:) { } at the end
  numbers.observeIn(loop).observeNext { print($0) }
  // expect: 'receive(on:)' is unavailable: write via(context) { $0.map { } } around the steps, or
  //   observe(on:) { } at the end
  numbers.receive(on: loop).observeNext { print($0) }
  // expect: 'subscribe(on:)' is unavailable: only the work can move: write EventStream.perform(on:
  //   context) { }
  numbers.subscribe(on: loop).observeNext { print($0) }
  // expect: 'subscribeOn' is unavailable: only the work can move: write EventStream.perform(on:
  //   context) { }
  numbers.subscribeOn(loop).observeNext { print($0) }
  // expect: 'executeOn' is unavailable: only the work can move: write EventStream.perform(on:
  //   context) { }
  numbers.executeOn(loop).observeNext { print($0) }
  // expect: 'perform(on:_:)' is unavailable: perform(on:) creates a stream: for work on elements
  //   write via(context) { $0.map { } }
  numbers.perform(on: loop) { $0 * 2 }.observeNext { print($0) }
  // expect: 'via' is unavailable: put the steps to move in its closure: via(context) { $0.map { } }
  numbers.via(loop).map { $0 * 2 }.observeNext { print($0) }
  // expect: 'via' is unavailable: the closure gets the stream, not an element: write via(context) {
  //   $0.map { } }
  numbers.via(loop) { x in x * 2 }.observeNext { print($0) }
  // expect: 'via' is unavailable: the closure gets the stream, not an element: write via(context) {
  //   $0.map { } }
  numbers.via(loop) { x in
    let double = x * 2
    return double + 1
  }.observeNext { print($0) }
}
