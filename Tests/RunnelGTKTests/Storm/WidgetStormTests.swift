#if GTK
import Foundation
import Testing

extension GTKTests {
  /// Random input and changes. After each, the widgets show what the controls say.
  @MainActor
  @Suite struct WidgetStormTests {
    /// `RUNNEL_SEEDS` sets the number of seeds.
    nonisolated private static let seeds =
      ProcessInfo.processInfo.environment["RUNNEL_SEEDS"].flatMap { UInt64($0) } ?? 5

    @Test(arguments: 0..<seeds)
    func widgetsShowTheControls(seed: UInt64) throws {
      let storm = try WidgetStorm(seed: seed)
      defer { storm.app.end() }
      for step in 0..<150 where !storm.app.application.isTerminated {
        let action = storm.act()
        let differences = storm.differences()
        try #require(differences == [], "seed \(seed), step \(step): \(action)")
      }
    }
  }
}
#endif
