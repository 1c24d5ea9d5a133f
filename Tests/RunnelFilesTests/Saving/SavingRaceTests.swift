import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Other processes that write the file at the same time, in different ways.
@Suite struct SavingRaceTests {
  enum Way: CaseIterable {
    /// Writes another file and moves it over this one.
    case replacing
    /// Truncates the file and writes it in two pieces.
    case truncating
    /// Appends to the file.
    case appending

    func write(_ text: String, to path: String) {
      let half = text.utf8.count / 2
      let bytes = Array(text.utf8)
      let name = self == .replacing ? path + ".theirs" : path
      let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (self == .appending ? O_APPEND : O_TRUNC)
      let file = open(name, flags, 0o666)
      _ = Glibc.write(file, bytes, half)
      sched_yield()
      _ = bytes[half...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      close(file)
      if self == .replacing { rename(name, path) }
    }
  }

  @Test(arguments: Way.allCases) func concurrentWritesAreKept(_ way: Way) async throws {
    let folder = TemporaryFolder()
    let path = folder["a.txt"]
    try SafeFile(path).create([])
    let rounds = 60
    let written = await ManualContext.onThread { _ in
      let isOver = Monitor(false)
      let pool = WorkerPool(name: "mine", size: 1)
      pool.execute {
        var old: [UInt8] = []
        var number = 0
        while !isOver.withLock({ $0 }) {
          number += 1
          let new = Array("mine \(number)\n".utf8)
          if (try? SafeFile(path).save(new, over: old)) != nil { old = new }
        }
      }
      var written: [String] = []
      for number in 0..<rounds {
        let text = "theirs \(number) of \(rounds)\n"
        way.write(text, to: path)
        written.append(text)
        // The other process does not overwrite its own text before it has been kept.
        while (try? SafeFile(path).contents().text.contains(text)) != false { sched_yield() }
      }
      isOver.withLock { $0 = true }
      pool.stop()
      pool.join()
      return written
    }
    let all = try folder.names().map { try SafeFile(folder[$0]).contents().text }
    for text in written { #expect(all.contains { $0.contains(text) }, "\(text) is lost") }
    #expect(try folder.names().allSatisfy { $0.hasPrefix("a") })
  }
}
