import Glibc

/// The functions that can be fuzzed. Each traps at a mistake.
private let subjects: [(name: String, run: @Sendable ([UInt8]) -> Void)] = [
  ("framing", fuzzFraming), ("http", fuzzServer), ("multipart", fuzzMultipart),
  ("websocket", fuzzWebSocket), ("client", fuzzClient), ("json", fuzzJSON), ("mqtt", fuzzMQTT),
]

/// The function that the environment variable FUZZ_SUBJECT names.
private let subject: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_SUBJECT").map { String(cString: $0) } ?? ""
  guard let subject = subjects.first(where: { $0.name == name }) else {
    fatalError("FUZZ_SUBJECT is one of: \(subjects.map(\.name).joined(separator: ", ")).")
  }
  return subject.run
}()

/// Runs one input. The name is the one that libFuzzer links.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  subject(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Runs inputs through a function: the main function of libFuzzer.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ function: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

@main
struct Main {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &arguments) { fuzz($0, $1) })
  }
}
