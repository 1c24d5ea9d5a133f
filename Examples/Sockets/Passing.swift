import Glibc
import Runnel

let server = try Listener(.unix("control.sock"), on: EventLoop.main)
server.connections.observeNext { connection in
  connection.passedDescriptors.observeNext { passed in
    if passed.take() != nil { print("A descriptor has arrived.") }
  }
  connection.bytes.observe(
    next: { bytes in
      print(String(decoding: bytes, as: UTF8.self))
      EventLoop.main.stop()
    }, failed: { print($0) })
}

Connection.connect(to: .unix("control.sock"), on: EventLoop.main).observe(
  succeeded: { client in _ = client.pass([STDIN_FILENO], with: Array("input".utf8)) },
  failed: { print($0) })
EventLoop.main.run()

// Output:
// A descriptor has arrived.
// input
