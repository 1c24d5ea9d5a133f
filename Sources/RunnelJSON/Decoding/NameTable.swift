/// The names of a large object. If one occurs twice, the last one counts.
struct NameTable {
  /// The token of a name, or 0. The number of places is a power of two.
  private var places: [Int]

  init(of object: Int, in document: Document) {
    let names = document.names(in: object)
    var capacity = 64
    while capacity < 2 * names.count { capacity *= 2 }
    places = Array(repeating: 0, count: capacity)
    for name in names {
      let place: Int = document.withName(at: name) { self.place(of: $0, in: document) }
      places[place] = name
    }
  }

  func value(named name: UnsafeRawBufferPointer, in document: Document) -> Int? {
    let token = places[place(of: name, in: document)]
    return token == 0 ? nil : token + 1
  }

  /// Returns the place of a name, or the free one for it.
  private func place(of name: UnsafeRawBufferPointer, in document: Document) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: name)
    var place = hasher.finalize() & (places.count - 1)
    while places[place] != 0 {
      if document.withName(at: places[place], { $0.elementsEqual(name) }) { break }
      place = (place + 1) & (places.count - 1)
    }
    return place
  }
}
