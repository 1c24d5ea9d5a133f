import Foundation
import FoundationNetworking
import Runnel

@Proxied
protocol TransferEvents: NSObjectProtocol, Sendable, URLSessionDataDelegate {
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

let server = HTTPServer(on: EventLoop.main)
server.get("/song") { _ in "La la la" }
let listener = try server.listen(.tcp("localhost", port: 0))
guard let address = URL(string: "http://\(listener.address)/song") else { fatalError("no address") }

let transfers = TransferEventsProxy()
transfers.stream(\.urlSession_dataTask_didReceive).observeNext { _, _, data in
  print("\(data.count) bytes")
  EventLoop.main.stop()
}
let session = URLSession(configuration: .ephemeral, delegate: transfers, delegateQueue: .main)
session.dataTask(with: address).resume()
EventLoop.main.run()

// Output:
// 8 bytes
