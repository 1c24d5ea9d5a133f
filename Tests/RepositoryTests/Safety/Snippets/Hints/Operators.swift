import RunnelStreams

@MainActor private func transform(
  _ names: PushStream<String>, _ nicknames: EventStream<String?, Never>,
  _ numbers: EventStream<Int, Never>
) {
  // expect: 'prefix' has been renamed to 'take(_:)'
  names.prefix(3).observeNext { print($0) }
  // expect: 'prefix(maxLength:)' has been renamed to 'take(_:)'
  names.prefix(maxLength: 3).observeNext { print($0) }
  // expect: 'prefix(while:)' has been renamed to 'take(while:)'
  names.prefix(while: { $0 != "" }).observeNext { print($0) }
  // expect: 'prefix(untilOutputFrom:)' has been renamed to 'take(until:)'
  names.prefix(untilOutputFrom: numbers).observeNext { print($0) }
  // expect: 'takeUntil' has been renamed to 'take(until:)'
  names.takeUntil(numbers).observeNext { print($0) }
  // expect: 'skipUntil' has been renamed to 'skip(until:)'
  names.skipUntil(numbers).observeNext { print($0) }
  // expect: 'dropFirst' has been renamed to 'skip(_:)'
  names.dropFirst().observeNext { print($0) }
  // expect: 'drop(while:)' has been renamed to 'skip(while:)'
  names.drop(while: { $0 != "" }).observeNext { print($0) }
  // expect: 'removeDuplicates()' has been renamed to 'distinctUntilChanged()'
  names.removeDuplicates().observeNext { print($0) }
  // expect: 'removeDuplicates(by:)' has been renamed to 'distinctUntilChanged(comparing:)'
  names.removeDuplicates { $0 == $1 }.observeNext { print($0) }
  // expect: 'ignoreNil()' is unavailable: write compactMap { $0 }
  nicknames.ignoreNil().observeNext { print($0) }
  // expect: 'flatMapConcat' has been renamed to 'concatMap(_:)'
  names.flatMapConcat { _ in numbers }.observeNext { print($0) }
  // expect: 'flatMapMerge' has been renamed to 'flatMap(_:)'
  names.flatMapMerge { _ in numbers }.observeNext { print($0) }
  // expect: 'switchToLatest()' has been renamed to 'switchLatest()'
  names.map { _ in numbers }.switchToLatest().observeNext { print($0) }
  // expect: 'tryMap' has been renamed to 'map(_:)'
  names.tryMap { Int($0) }.observeNext { print($0 ?? 0) }
  // expect: 'prepend' has been renamed to 'startWith(_:)'
  names.prepend("Ann").observeNext { print($0) }
  // expect: 'concat' has been renamed to 'append(_:)'
  names.concat(names).observeNext { print($0) }
  // expect: 'with(latestFrom:)' has been renamed to 'withLatestFrom(_:)'
  names.with(latestFrom: numbers).observeNext { print($0) }
  // expect: 'collect()' has been renamed to 'toArray()'
  names.collect().observeNext { print($0) }
  // expect: 'combineLatest(_:resultSelector:)' is unavailable: write combineLatest(other).map { }
  names.combineLatest(numbers) { "\($0)\($1)" }.observeNext { print($0) }
  // expect: 'zip(_:resultSelector:)' is unavailable: write zip(other).map { }
  names.zip(numbers) { "\($0)\($1)" }.observeNext { print($0) }
  // expect: 'withLatestFrom(_:resultSelector:)' is unavailable: write withLatestFrom(other).map { }
  names.withLatestFrom(numbers) { "\($0)\($1)" }.observeNext { print($0) }
  // expect: 'combineLatest(_:_:resultSelector:)' is unavailable: write
  //   EventStream.combineLatest(first, second).map { }
  EventStream.combineLatest(names, numbers) { "\($0)\($1)" }.observeNext { print($0) }
  // expect: 'zip(_:_:resultSelector:)' is unavailable: write EventStream.zip(first, second).map { }
  EventStream.zip(numbers, numbers) { $0 + $1 }.observeNext { print($0) }
  // expect: 'tap' has been renamed to 'do(next:)'
  names.tap { print($0) }.observeNext { print($0) }
  // expect: 'handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:)' is
  //   unavailable: write do(observed:next:failed:completed:disposed:)
  names.handleEvents(receiveOutput: { print($0) }).observeNext { print($0) }
  // expect: 'shareReplay' has been renamed to 'share(replay:)'
  names.shareReplay(1).observeNext { print($0) }
  // expect: 'makeConnectable()' has been renamed to 'publish()'
  names.makeConnectable().connect()
}
