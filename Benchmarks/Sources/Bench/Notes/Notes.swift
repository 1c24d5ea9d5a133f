import Foundation
import Runnel

/// 10,000 notes of three kilobytes: looking at the folder for the first time, and typing a search.
func measureNotes(_ report: inout Report) {
  let path = FileManager.default.temporaryDirectory.appending(path: "notes-\(getpid())").path()
  defer { try? FileManager.default.removeItem(atPath: path) }
  guard (try? writeNotes(10_000, to: path)) != nil else { return }

  report.best("first look at 10,000 notes") {
    MainActor.assumeIsolated {
      let clock = ContinuousClock()
      let start = clock.now
      let folder = open(path)
      consume(folder)
      return start.duration(to: clock.now).nanoseconds
    }
  }

  let folder = MainActor.assumeIsolated { Kept(open(path)) }
  for typed in ["milk and honey", "zyzzyva", "tag:work", "xq"] {
    report.best("longest keystroke of '\(typed)'") {
      MainActor.assumeIsolated { longestKeystroke(of: typed, in: folder.value) }
    }
  }
}

/// How long the list takes to follow the key that takes it longest.
@MainActor
private func longestKeystroke(of typed: String, in folder: NoteFolder) -> Double {
  let query = Property(Query(""))
  let shown = folder.notes.filter(by: query.map { query in { query.matches($0) } })
    .sorted(by: folder.settings.map { settings in { settings.areInOrder($0, $1) } })
  let clock = ContinuousClock()
  let times = typed.indices.map { index in
    clock.measure { query.value = Query(String(typed[...index])) }.nanoseconds
  }
  consume(shown)
  return times.max() ?? 0
}

/// A folder that has been looked at.
@MainActor
private func open(_ path: String) -> NoteFolder {
  let folder = NoteFolder(Folder(path), trash: Trash(dataHome: "\(path)/data"))
  EventLoop.main.execute { MainActor.assumeIsolated { folder.open() } }
  EventLoop.main.run(until: folder.progress.updates.filter { $0 == nil })
  return folder
}

// Safety: benchmarks run on the main thread.
private struct Kept: @unchecked Sendable {
  let value: NoteFolder

  init(_ value: NoteFolder) { self.value = value }
}

/// Writes notes of words that are common and rare as in a language.
private func writeNotes(_ count: Int, to path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  var state: UInt64 = 1
  func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
  let letters = Array("etaoinshrdlucmfwypvbgk")
  let words = (0..<4_000).map { _ in
    String((0..<2 + random(8)).map { _ in letters[min(random(22), random(22))] })
  }
  for number in 0..<count {
    // The n-th word comes up the less often, the higher its number is.
    let text = (0..<500).map { _ in words[random(1 + random(1 + random(4_000)))] }
    let tag = number % 50 == 0 ? "\n#work\n" : "\n"
    let content = "\(text.joined(separator: " ")) milk \(number)\(tag)"
    try Data(content.utf8).write(to: URL(fileURLWithPath: "\(path)/Note \(number).txt"))
  }
}
