/// Releases a value that has been taken out of a stored property.
///
/// An assignment releases the old value while the property is being modified. A `deinit` that comes
/// back to the property then traps, or reads half of a value. A value of the user is therefore taken
/// out first, with `exchange` or `removeValue(forKey:)`, and handed to this function, which releases
/// it when the access to the property has ended.
@inlinable
package func release<Value>(_ value: consuming Value) {
  withExtendedLifetime(value) {}
}
