import RunnelTesting
import Testing

@Suite struct ObservationSpanTests {
  @Test func descriptionShowsThePeriod() {
    #expect("\(ObservationSpan(from: .seconds(1)))" == "1.0 seconds...")
    #expect("\(ObservationSpan(from: .zero, to: .seconds(2)))" == "0.0 seconds ..< 2.0 seconds")
  }
}
