#if GTK
import Glibc

/// A movement whose speed decays exponentially.
struct Momentum {
  /// The pixels per second.
  private(set) var velocity: Double

  private static let friction = 4.0

  init(velocity: Double) {
    self.velocity = velocity
  }

  var hasEnded: Bool { abs(velocity) < 20 }

  /// Returns the distance that is covered in a time.
  mutating func advance(by seconds: Double) -> Double {
    let rest = exp(-Self.friction * seconds)
    defer { velocity *= rest }
    return velocity * (1 - rest) / Self.friction
  }
}
#endif
