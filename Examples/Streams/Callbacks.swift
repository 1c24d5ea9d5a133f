import Glibc
import Runnel

struct Offline: Error {}

/// An API with a callback, which answers later on the main loop.
@MainActor func loadUser(_ id: Int, then finish: @escaping (Result<String, Offline>) -> Void)
  -> Disposable
{
  EventLoop.main.schedule(after: .milliseconds(10)) {
    finish(id == 7 ? .success("Ann") : .failure(Offline()))
  }
}

@MainActor func user(_ id: Int) -> EventStream<String, Offline> {
  EventStream { observer in
    let request = loadUser(id) { result in
      switch result {
      case .success(let name):
        observer.next(name)
        observer.completed()
      case .failure(let error):
        observer.failed(error)
      }
    }
    return Disposable { request.dispose() }
  }
}

user(7).observe(next: { print("User 7 is \($0).") }, failed: { print($0) })
user(8).observe(next: { print("User 8 is \($0).") }, failed: { print($0) })
EventLoop.main.run(for: .milliseconds(50))

// Output:
// User 7 is Ann.
// Offline()
