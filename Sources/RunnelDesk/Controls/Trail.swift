/// The places that the user has left, for the commands Back and Forward.
///
///     var trail = Trail<String>()
///     trail.leave("Milk")  // for "Bread"
///     print(trail.goBack(from: "Bread") ?? "")  // Milk
///     print(trail.goForward(from: "Milk") ?? "")  // Bread
public struct Trail<Place: Equatable> {
  private var back: [Place] = []
  private var forward: [Place] = []

  /// Creates an empty trail.
  public init() {}

  /// Adds a place that the user leaves for another one. Forward then leads nowhere.
  public mutating func leave(_ place: Place) {
    back.append(place)
    forward = []
  }

  /// Returns the place that the user goes back to; nil if there is none.
  public mutating func goBack(from place: Place?) -> Place? {
    Self.go(from: place, &back, &forward)
  }

  /// Returns the place that the user goes forward to; nil if there is none.
  public mutating func goForward(from place: Place?) -> Place? {
    Self.go(from: place, &forward, &back)
  }

  private static func go(
    from place: Place?, _ places: inout [Place], _ others: inout [Place]
  ) -> Place? {
    guard let next = places.popLast() else { return nil }
    if let place { others.append(place) }
    return next
  }

  /// Replaces a place, for example after its rename.
  public mutating func replace(_ old: Place, with new: Place) {
    back = back.map { $0 == old ? new : $0 }
    forward = forward.map { $0 == old ? new : $0 }
  }
}

extension Trail: Sendable where Place: Sendable {}
