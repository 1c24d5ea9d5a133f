/// A source that can wait, such as a connection: it sends no more while a place after it is full.
///
/// Both methods are called in the context of the source.
@usableFromInline
package protocol PausableSource: AnyObject {
  /// Stops after the current element, until as many calls of ``resume()`` as of this method were
  /// made.
  func pause()
  func resume()
}

/// The sources that wait until one place has room.
@usableFromInline
package final class HeldSources {
  private var sources: [any PausableSource] = []

  @usableFromInline
  package init() {}

  /// Pauses a source until ``resumeAll()``.
  @usableFromInline
  package func hold(_ source: any PausableSource) {
    if sources.contains(where: { $0 === source }) { return }
    sources.append(source)
    source.pause()
  }

  @usableFromInline
  package func resumeAll() {
    if sources.isEmpty { return }
    for source in exchange(&sources, with: []) { source.resume() }
  }
}
