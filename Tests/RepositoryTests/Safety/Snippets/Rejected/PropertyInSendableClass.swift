// expect: stored property 'name' of 'Sendable'-conforming class 'Model' has non-Sendable type
import RunnelStreams

final class Model: Sendable {
  let name = Property("Jim")
}
