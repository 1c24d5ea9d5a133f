/// The objects that this program serves, by path.
final class ObjectTable {
  private var objects: [String: ExportedObject] = [:]

  subscript(path: String) -> ExportedObject? { objects[path] }

  func add(_ object: ExportedObject) {
    precondition(
      objects[object.path.text] == nil,
      "There is an object at \(object.path) already. Export it with all interfaces at once.")
    objects[object.path.text] = object
  }

  func remove(_ object: ExportedObject) {
    if objects[object.path.text] === object { objects[object.path.text] = nil }
  }

  func removeAll() {
    let all = objects.values
    objects = [:]
    for object in all { object.stop() }
  }

  /// The names of the nodes directly below a path, in order.
  func children(of path: String) -> [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let names = objects.keys.compactMap { key -> String? in
      guard key.hasPrefix(prefix), key != "/" else { return nil }
      return key.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
    }
    return Set(names).sorted()
  }
}
