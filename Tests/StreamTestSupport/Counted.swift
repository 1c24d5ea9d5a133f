/// An object that counts the living objects of its type.
package final class Counted {
  package final class Census {
    package var alive = 0

    package init() {}
  }

  private let census: Census

  package init(_ census: Census) {
    self.census = census
    census.alive += 1
  }

  deinit {
    census.alive -= 1
  }
}
