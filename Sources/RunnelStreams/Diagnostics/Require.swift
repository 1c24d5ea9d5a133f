/// Traps with a message that names the mistake and the fix, where a caller broke a rule.
///
/// Unlike `precondition` it says the message in optimised builds too.
@inlinable
@inline(__always)
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
