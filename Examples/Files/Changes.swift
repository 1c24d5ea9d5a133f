import Runnel

let changes = EventLoop.main.changes(at: ".", recursively: true).share()
changes.observe(
  next: { change in
    switch change {
    case .created(let path), .modified(let path): print("read \(path)")
    case .deleted(let path): print("\(path) is gone")
    case .moved(let old, let new): print("\(old) is now \(new)")
    case .rescan: print("read everything again")
    }
  }, failed: { print($0) })

try Folder("letters").make()
EventLoop.main.run(until: changes.ignoreFailure().take(1))

// Output:
// read ./letters
