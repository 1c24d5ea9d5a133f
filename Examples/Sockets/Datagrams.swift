import Runnel

let echo = try DatagramSocket(.udp("localhost", port: 0), on: EventLoop.main)
echo.datagrams.observe(next: { echo.send($0.bytes, to: $0.sender) }, failed: { print($0) })

let socket = try DatagramSocket(.udp("localhost", port: 0), on: EventLoop.main)
try socket.connect(to: echo.address)
socket.failures.observeNext { print($0) }
socket.datagrams.timeout(after: .seconds(1), switchingTo: .completed).take(1).observe(
  next: { print(String(decoding: $0.bytes, as: UTF8.self)) },
  failed: { print($0) },
  completed: { EventLoop.main.stop() })
socket.send(Array("ping".utf8))
EventLoop.main.run()

// Output:
// ping
