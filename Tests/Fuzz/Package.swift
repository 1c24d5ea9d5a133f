// swift-tools-version: 6.2
import PackageDescription

// The fuzzers of the parsers. Scripts/fuzz builds them in the folder of the tests with
// AddressSanitizer, so that Runnel is not compiled again.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "Runnel", path: "../..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: ["RunnelNet", "RunnelStreams", "RunnelTesting"].map {
        .product(name: $0, package: "Runnel")
      },
      swiftSettings: [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
  ],
  swiftLanguageModes: [.v6]
)
