import Runnel

struct Post: Codable {
  var title: String
}

let server = HTTPServer(on: EventLoop.main)
server.post("/count") { request in
  request.body.stream.reduce(0) { $0 + $1.count }.map { "\($0) bytes\n" }
}
server.post("/posts") { request in
  request.json(Post.self).map { post in "Posted: \(post.title)\n" }
}
server.get("/posts") { _ in try HTTPResponse(json: [Post(title: "Milk")]) }

server.post("/topics") { request in
  request.form().map { form in HTTPResponse(.created, text: form["text"] ?? "") }
}
server.post("/photos") { request in
  request.multipart().map { form in
    guard let photo = form["photo"] else { throw HTTPError(.badRequest, "No photo.") }
    try photo.save(to: "photo.jpg")
    return form.text("title") ?? "Untitled"
  }
}

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
let place = "http://\(listener.address)"
let answers = client.post("\(place)/count", "hello").text().stream
  .append(client.get("\(place)/posts").text().stream)
answers.observe(
  next: { print($0) }, failed: { print($0) }, completed: { EventLoop.main.stop() })
EventLoop.main.run()

// Output:
// 5 bytes
//
// [{"title":"Milk"}]
