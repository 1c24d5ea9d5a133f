import Runnel

let group = LoopGroup(name: "web")
let servers = try group.serve(.tcp("localhost", port: 0)) { loop in
  let server = HTTPServer(on: loop)
  server.get("/") { _ in "Hello from a loop of the group" }
  return server
}

let client = HTTPClient(on: EventLoop.main)
let text = client.get("http://\(servers.address)/").text()
print(try EventLoop.main.run(until: text.stream) ?? "")

client.closeIdleConnections()
servers.close(within: .seconds(10)).observe(completed: {
  group.stop()
  EventLoop.main.stop()
})
EventLoop.main.run()
group.join()

// Output:
// Hello from a loop of the group
