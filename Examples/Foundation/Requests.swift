import Foundation
import FoundationNetworking
import Runnel
import RunnelFoundation

struct Release: Decodable {
  let version: String
}

let server = HTTPServer(on: EventLoop.main)
server.get("/release") { _ in "{\"version\": \"1.2\"}" }
let listener = try server.listen(.tcp("localhost", port: 0))
guard let address = URL(string: "http://\(listener.address)/release") else { exit(1) }

let release = URLSession.shared.rx.json(Release.self, url: address).retry(3)
release.observe(
  succeeded: { release in
    print("Version \(release.version) is out.")
    EventLoop.main.stop()
  },
  failed: { failure in
    if case .status(let response, let body) = failure {
      print("The server says \(response.statusCode).", String(decoding: body, as: UTF8.self))
    } else {
      print("Not loaded: \(failure)")
    }
    EventLoop.main.stop()
  })
EventLoop.main.run()

// Output:
// Version 1.2 is out.
