import RunnelStreams

extension EventStream where Failure == Never {
  /// What is pushed while the stream is observed, until the owner of a proxy goes.
  @inlinable
  static func pushed(
    until ended: EventStream<Void, Never>,
    _ connect: @escaping (PushStream<Element>) -> Disposable
  ) -> EventStream<Element, Never> {
    .unguarded { observer in
      let push = PushStream<Element>()
      let upstream = Disposable()
      push.start(
        Observer(
          forwardingTo: observer,
          end: { termination in
            observer.end(termination)
            upstream.dispose()
          }))
      // Added later, and so undone before what the observer holds is let go of: that may come back to
      // the proxy when it goes, which must not run the closure any more.
      observer.observation.add(upstream)
      ended.start(under: upstream, next: { push.end(.completed) }, end: { _ in })
      if push.termination == nil { upstream.add(connect(push)) }
    }
  }
}

extension ProtocolProxy {
  @usableFromInline
  var ownersEnd: EventStream<Void, Never> { ties.ended }
}
