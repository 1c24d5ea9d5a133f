import Testing

/// Runs all tests.
///
/// Without this file, SwiftPM would search an index of the sources for tests of XCTest. Making the
/// index takes a fifth of the time of the build.
@main struct Main {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
