import Glibc
import Runnel

var options = ListenerOptions()
options.permissions = 0o660
let server = try Listener(.unix("control.sock"), options: options, on: EventLoop.main)
server.connections.observeNext { client in
  guard client.peerCredentials?.user == geteuid() else { return client.reset() }
  client.lines().map { "done: \($0)\n" }.bind(to: client.writer)
}

let client = Connection.connect(to: .unix("control.sock"), on: EventLoop.main)
let answers = client.do(succeeded: { _ = $0.write("start\n") }).stream.flatMap { $0.lines() }
print(try EventLoop.main.run(until: answers) ?? "")

// Output:
// done: start
