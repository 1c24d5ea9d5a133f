/// The sources that wait, and the places in other contexts that they wait for.
///
/// A place that delivers its waiting elements is a source too. It never waits for itself, not even
/// through others, so that contexts which feed each other go on.
enum WaitGraph {
  private static let places = Monitor<[ObjectIdentifier: Set<ObjectIdentifier>]>([:])

  /// Adds a place to those that a source waits for. Returns false, and adds nothing, if that place
  /// waits for the source: the wait would close a circle.
  static func add(_ place: ObjectIdentifier, for source: any PausableSource) -> Bool {
    let source = ObjectIdentifier(source)
    return places.withLock { places in
      var pending = [place]
      var seen: Set = [place]
      while let next = pending.popLast() {
        if next == source { return false }
        for other in places[next] ?? [] where seen.insert(other).inserted { pending.append(other) }
      }
      places[source, default: []].insert(place)
      return true
    }
  }

  static func remove(_ place: ObjectIdentifier, for source: any PausableSource) {
    let source = ObjectIdentifier(source)
    places.withLock { places in
      places[source]?.remove(place)
      if places[source]?.isEmpty == true { places[source] = nil }
    }
  }
}
