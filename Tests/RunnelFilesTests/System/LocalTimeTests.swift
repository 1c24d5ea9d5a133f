import Glibc
import RunnelFiles
import RunnelLoop
import Testing

@Suite struct LocalTimeTests {
  /// The time zone is a global setting of the process.
  @Test func usesTimeZoneOfUser() async {
    await #expect(processExitsWith: .success) {
      setenv("TZ", "UTC", 1)
      tzset()
      guard "\(LocalTime(.zero))" == "1970-01-01T00:00:00" else { exit(1) }
      guard "\(LocalTime(.seconds(-1)))" == "1969-12-31T23:59:59" else { exit(2) }
      guard LocalTime(.seconds(1_767_605_400) + .milliseconds(999)).time == "09:30:00" else {
        exit(3)
      }
      guard LocalTime(.seconds(1_767_605_400)).date == "2026-01-05" else { exit(4) }
      setenv("TZ", "EST5EDT", 1)
      tzset()
      guard "\(LocalTime(.zero))" == "1969-12-31T19:00:00" else { exit(5) }
      guard LocalTime.now.date.count == 10 else { exit(6) }
      guard LocalTime(.zero).short == "1969-12-31" else { exit(7) }
      let short = LocalTime.now.short
      // Midnight may pass between the two calls.
      guard short.count == 5 && short.contains(":") || short.count == 10 else { exit(8) }
    }
  }
}
