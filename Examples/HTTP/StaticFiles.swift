import Runnel

let folder = Folder("Public")
try folder.make()
try folder.file("hello.txt").create(Array("Hello!".utf8))

let server = HTTPServer(on: EventLoop.main)
var options = HTTPFileOptions()
options.cacheControl = "public, max-age=3600"
server.files("/static/", in: "Public", options: options)

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
let text = client.get("http://\(listener.address)/static/hello.txt").text()
print(try EventLoop.main.run(until: text.stream) ?? "")

// Output:
// Hello!
