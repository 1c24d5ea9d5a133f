import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport

/// An observer of the changes of a folder, which records them without the path of the folder.
final class Watcher: Sendable {
  let folder: TemporaryFolder
  let loop: EventLoop
  let log = EventLog<String>()
  private let observation = Confined<Disposable?>(nil)

  init(
    _ folder: TemporaryFolder = TemporaryFolder(), at name: String? = nil,
    recursively: Bool = true, on loop: EventLoop,
    reaction: @escaping @Sendable (TemporaryFolder, String) -> Void = { _, _ in }
  ) {
    self.folder = folder
    self.loop = loop
    loop.wait { [log, observation] in
      observation.value = loop.changes(
        at: name.map { folder[$0] } ?? folder.path, recursively: recursively
      ).observe(
        next: { change in
          let text = change.text(below: folder.path)
          log.add(text)
          reaction(folder, text)
        },
        failed: { log.add("failed: \($0)".replacing(folder.path, with: "…")) })
    }
  }

  /// Returns the changes before the creation of a marker file at the end of the test.
  func changes(upTo end: String = "end") -> [String] {
    waitFor(end)
    // Departures at the end time out later, and each check may cause another one. The changes of
    // further marker files arrive after these.
    for round in 0..<10 {
      let isLater = EventLog<Void>()
      loop.execute { [loop] in
        _ = loop.schedule(after: .milliseconds(round < 3 ? 10 : 0)) { isLater.add(()) }
      }
      isLater.wait(for: 1)
      waitFor("\(end).\(round)")
    }
    let markers = [end] + (0..<10).map { "\(end).\($0)" }
    let notices = Set(markers.flatMap { ["created \($0)", "modified \($0)"] })
    return log.all.filter { !notices.contains($0) }
  }

  private func waitFor(_ marker: String) {
    folder.write(marker)
    var entries = log.all
    while !entries.contains("modified \(marker)") { entries = log.wait(for: entries.count + 1) }
  }

  func dispose() {
    loop.wait { [observation] in observation.value?.dispose() }
  }
}

extension FileChange {
  func text(below folder: String) -> String {
    let text =
      switch self {
      case .created(let path): "created \(path)"
      case .modified(let path): "modified \(path)"
      case .deleted(let path): "deleted \(path)"
      case .moved(let old, let new): "\(old) -> \(new)"
      case .rescan: "rescan"
      }
    return text.replacing(folder + "/", with: "").replacing(folder, with: ".")
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    var rest = self[...]
    var result = ""
    while let range = rest.range(of: part) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
