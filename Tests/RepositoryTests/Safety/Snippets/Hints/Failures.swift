import RunnelStreams

private enum LoadError: Error {
  case offline
}

@MainActor private func handle(
  _ pages: EventStream<Int, LoadError>, _ taps: EventStream<Void, Never>
) {
  // expect: 'catchError' has been renamed to 'catch(_:)'
  pages.catchError { _ in .just(0) }.observe { print($0) }
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
}
