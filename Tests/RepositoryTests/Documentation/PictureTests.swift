import Testing

@Suite struct PictureTests {
  @Test func barsShowTheNumbersOfTheGuide() async throws {
    let (status, output) = try await onThread { try runScript("bars --check") }
    #expect(status == 0, "\(output)")
  }
}
