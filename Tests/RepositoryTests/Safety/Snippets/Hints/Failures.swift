import RunnelStreams

private enum LoadError: Error {
  case offline
}

@MainActor private func handle(
  _ pages: EventStream<Int, LoadError>, _ taps: EventStream<Void, Never>
) {
  // expect: 'catchError' has been renamed to 'catch(_:)'
  pages.catchError { _ in .just(0) }.observe { print($0) }
  // expect: 'recover' is unavailable: write flatMapFailure { error in … }, or recover(with: element)
  pages.recover { _ in .just(0) }.observeNext { print($0) }
  // expect: 'catchErrorJustReturn' has been renamed to 'recover(with:)'
  pages.catchErrorJustReturn(0).observeNext { print($0) }
  // expect: 'catchAndReturn' has been renamed to 'recover(with:)'
  pages.catchAndReturn(0).observeNext { print($0) }
  // expect: 'replaceError(with:)' has been renamed to 'recover(with:)'
  pages.replaceError(with: 0).observeNext { print($0) }
  // expect: 'suppressError(logging:)' is unavailable: write ignoreFailure()
  pages.suppressError(logging: true).observeNext { print($0) }
  // expect: 'flatMapError' has been renamed to 'flatMapFailure(_:)'
  pages.flatMapError { _ in EventStream<Int, Never>.just(0) }.observeNext { print($0) }
  // expect: 'mapError' has been renamed to 'mapFailure(_:)'
  pages.mapError { _ in LoadError.offline }.observe { print($0) }
  // expect: 'setFailureType(to:)' has been renamed to 'failing(with:)'
  taps.setFailureType(to: LoadError.self).observe { print($0) }
  // expect: 'retryWhen' has been renamed to 'retry(when:)'
  pages.retryWhen { _ in taps.failing(with: LoadError.self) }.observe { print($0) }
  // expect: 'flatMap' is unavailable: the inner streams have another failure type than the source: add
  //   recover(with:), ignoreFailure() or mapFailure { } to them, or failing(with:) to a source
  //   that cannot fail
  taps.flatMap { _ in pages }.observe { print($0) }
  // expect: 'concatMap' is unavailable: the inner streams have another failure type than the source: add
  //   recover(with:), ignoreFailure() or mapFailure { } to them, or failing(with:) to a source
  //   that cannot fail
  taps.concatMap { pages }.observe { print($0) }
  // expect: 'flatMapLatest' is unavailable: the inner streams have another failure type than the source:
  //   add recover(with:), ignoreFailure() or mapFailure { } to them, or failing(with:) to a source
  //   that cannot fail
  taps.flatMapLatest { pages }.observeNext { print($0) }
  // expect: 'flatMapFirst' is unavailable: the inner streams have another failure type than the source:
  //   add recover(with:), ignoreFailure() or mapFailure { } to them, or failing(with:) to a source
  //   that cannot fail
  pages.flatMapFirst { _ in taps }.observe { print($0) }
  // expect: 'merge' is unavailable: the streams have different failure types: add recover(with:),
  //   ignoreFailure() or mapFailure { } to one of them
  pages.merge(EventStream<Int, Never>.just(1)).observe { print($0) }
  // expect: 'combineLatest' is unavailable: the streams have different failure types: add
  //   recover(with:), ignoreFailure() or mapFailure { } to one of them
  pages.combineLatest(taps).observe { print($0) }
  // expect: 'zip' is unavailable: the streams have different failure types: add recover(with:),
  //   ignoreFailure() or mapFailure { } to one of them
  pages.zip(taps).observe { print($0) }
}
