/// Traps with a message if a condition is false. The message names the mistake and the fix.
///
/// Unlike `precondition`, it prints the message in optimised builds too.
@inlinable
@inline(__always)
package func require(
  _ condition: Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
