import Runnel
import RunnelNetTesting

let server = HTTPServer(on: EventLoop.main)
server.get("/hello/:name") { request in "Hello, \(request["name"])!" }
var greeting = ""
server.test(HTTPRequest(.get, "/hello/Jim")).observe(succeeded: { response in
  response.body.text().observe(succeeded: { greeting = $0 }, failed: { _ in })
})
print(greeting)

// Output:
// Hello, Jim!
