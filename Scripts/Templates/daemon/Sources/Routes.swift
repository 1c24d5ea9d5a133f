import Runnel

extension HTTPServer {
  func addRoutes() {
    get("/hello/:name") { request in "Hello, \(request["name"])!\n" }
  }
}
