import Runnel

let passed = try Activation.descriptors().first
let endpoint = passed.map { Endpoint.descriptor($0.number) } ?? .tcp("localhost", port: 0)
let server = try Listener(endpoint, on: EventLoop.main)
print("Listening at \(server.address)".prefix(23))

// Output:
// Listening at 127.0.0.1:
