import Checking
import Glibc
import Runnel

private let itemText = JSONWriter.text { json in
  json.object { json in
    json.field("id", 1)
    json.field("title", "A title of a usual length")
    json.field("tags", ["red", "green", "blue"])
    json.object("author") { json in json.field("name", "Anna Example") }
  }
}
private let repetitions = 100_000_000 / (itemText.utf8.count + 1)

/// Decodes a text of 100 MB, and one of five million arrays in each other, on a stack of 128 KiB.
///
/// It is in a file of its own, because closures of `main.swift` belong to the main actor.
func checkLargeTexts() {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  check(pthread_attr_setstacksize(&attributes, 128 << 10) == 0)
  var thread = pthread_t()
  let started = pthread_create(
    &thread, &attributes,
    { _ in
      decodeLargeTexts()
      return nil
    }, nil)
  check(started == 0)
  pthread_join(thread, nil)
}

private func decodeLargeTexts() {
  let bytes = Array(
    ("[" + String(repeating: itemText + ",", count: repetitions) + itemText + "]").utf8)
  let deep = Array(repeating: UInt8(ascii: "["), count: 5_000_000)
  do {
    checkEqual(try JSON.decode([Item].self, from: bytes).count, repetitions + 1)
    let limits = JSONLimits(depth: .max)
    _ = try JSON.decode([Item].self, from: deep, within: limits)
    check(false)
  } catch {
    checkEqual("\(error)", "line 1, column 5000001: The text ends too early.")
  }
}
