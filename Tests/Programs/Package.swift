// swift-tools-version: 6.2
import PackageDescription

// Programs that test Runnel for as long as they run. Scripts/fuzz and Scripts/stress build them in
// the folders of other builds, so that Runnel is not compiled again.

func runnel(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "Runnel") }
}

let package = Package(
  name: "Programs",
  dependencies: [
    .package(
      name: "Runnel", path: "../..",
      traits: Context.environment["RUNNEL_GTK"] != nil ? ["GTK"] : [])
  ],
  targets: [
    .executableTarget(
      name: "Fuzz", dependencies: runnel("RunnelNet", "RunnelStreams", "RunnelTesting"),
      swiftSettings: [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    .executableTarget(
      name: "Stress", dependencies: runnel("Runnel", "RunnelDesk", "RunnelTerminal")),
  ],
  swiftLanguageModes: [.v6]
)
