#if GTK
import Foundation
import RunnelTesting
import Testing

extension GTKTests {
  /// Random input and changes. After each, the widgets show what the controls say.
  @MainActor
  @Suite struct WidgetStormTests {
    @Test(arguments: seeds(5) as Range<UInt64>)
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
