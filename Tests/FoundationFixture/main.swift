// A program for a test of requests that needs a main thread. It reads a number from the given URL,
// and prints the number and the context in which it arrived.
import Foundation
import FoundationNetworking
import RunnelFoundation
import RunnelLoop

guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
  exit(64)
}
let number = URLSession.shared.rx.json(Int.self, url: url).map { number in
  let place = EventLoop.current === EventLoop.main ? "on the main loop" : "elsewhere"
  return "\(number) \(place)"
}
do {
  print(try EventLoop.main.run(until: number) ?? "nothing")
} catch {
  print(error)
}
