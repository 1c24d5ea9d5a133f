import Glibc
import Runnel

@MainActor
final class Journal {
  private let writer = WorkerPool(name: "journal", size: 1)
  private let descriptor: Int32
  private var waiting: [(line: String, finish: () -> Void)] = []
  private var isStoring = false

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  func append(_ line: String, finish: @escaping () -> Void) {
    waiting.append((line, finish))
    storeNext()
  }

  private func storeNext() {
    if isStoring || waiting.isEmpty { return }
    isStoring = true
    let batch = waiting
    waiting = []
    let text = batch.map { $0.line + "\n" }.joined()
    EventStream.perform(on: writer) { [descriptor] in
      write(descriptor, text, text.utf8.count) == text.utf8.count && fdatasync(descriptor) == 0
    }.observeNext { [self] isStored in
      isStoring = false
      storeNext()
      if isStored { for (_, finish) in batch { finish() } }
    }
  }
}

let file = open("journal", O_CREAT | O_WRONLY | O_APPEND, 0o600)
let journal = Journal(file)
for line in ["a", "b", "c"] {
  journal.append(line) {
    print("\(line) is on the disk")
    if line == "c" { EventLoop.main.stop() }
  }
}
EventLoop.main.run()

// Output:
// a is on the disk
// b is on the disk
// c is on the disk
