import RunnelStreams

/// A closure that answers the requests on a topic, and its answers in progress. Transports with requests keep these.
package final class RequestAnswerer {
  private let body: ([UInt8]) -> Single<[UInt8], AskFailure>
  private var work = CompositeDisposable()

  package init(_ body: @escaping ([UInt8]) -> Single<[UInt8], AskFailure>) {
    self.body = body
  }

  /// Answers a request, unless the answerer was disposed. `finish` is called once, at once or later.
  ///
  /// *Disposal* of the result, ``endAnswers()`` or ``dispose()`` ends the answer, and `finish` is not called.
  package func answer(
    _ payload: [UInt8], _ finish: @escaping (Result<[UInt8], AskFailure>) -> Void
  ) -> Disposable {
    let answer = Disposable()
    let all = work
    guard let key = all.add(answer) else {
      finish(.failure(.nobodyAnswers))
      return answer
    }
    answer.add { all.remove(key) }
    let end = { (result: Result<[UInt8], AskFailure>) in
      if answer.isDisposed { return }
      finish(result)
      answer.dispose()
    }
    answer.add(
      body(payload).observe(succeeded: { end(.success($0)) }, failed: { end(.failure($0)) }))
    return answer
  }

  /// Ends the answers in progress. Later requests are answered again.
  package func endAnswers() { exchange(&work, with: CompositeDisposable()).dispose() }

  /// Ends all answers.
  package func dispose() { work.dispose() }
}
