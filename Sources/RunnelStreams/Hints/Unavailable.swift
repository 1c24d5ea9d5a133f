// A hint is a member that other libraries have and Runnel does not. A program that uses one does not
// compile, and the error says what to write instead. `Documentation/Migration.md` has the same
// names.
//
// The compiler considers unavailable members only if a program does not compile otherwise. Hints
// therefore cost no time, and a member of the same name in a program is used instead. A function
// that programs call without `self`, such as `print`, cannot have a hint: in an extension of a
// stream, the hint would hide it.

/// The body of a hint. It never runs, because no program that uses a hint compiles.
package func unavailable() -> Never {
  fatalError("A hint was called.")
}
