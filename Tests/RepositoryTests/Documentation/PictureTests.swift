import RunnelTesting
import Testing

@Suite struct PictureTests {
  @Test func barsShowTheNumbersOfTheGuide() async throws {
    let (status, output) = try await ManualContext.onThread { _ in
      Result { try runScript("bars --check") }
    }.get()
    #expect(status == 0, "\(output)")
  }
}
