import Glibc

/// The seeds of a random test: `0..<few`, or several times as many where the environment variable `RUNNEL_CASES` says
/// how often.
package func seeds<Number: FixedWidthInteger>(_ few: Number) -> Range<Number>
where Number.Stride: SignedInteger {
  let factor = getenv("RUNNEL_CASES").flatMap { Number(String(cString: $0)) } ?? 1
  return 0..<few * max(factor, 1)
}
