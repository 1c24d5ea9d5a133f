import Foundation
import Runnel
import RunnelFoundation

struct User: Decodable {
  let firstName: String
}

let decoder = JSONDecoder()
decoder.keyDecodingStrategy = .convertFromSnakeCase
let lines = EventStream<String, Never>.just("{\"first_name\": \"Ann\"}")
lines.decode(User.self, decoder: decoder)
  .observe(next: { print($0.firstName) }, failed: { print($0) })

// Output:
// Ann
