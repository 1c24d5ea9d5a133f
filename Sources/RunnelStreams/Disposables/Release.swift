/// Releases a value that has been taken out of a stored property.
///
/// An assignment releases the old value while the property is being modified. A `deinit` that
/// accesses the property during that time traps or reads an inconsistent value. A value of the user
/// is therefore taken out first, with `exchange` or `removeValue(forKey:)`. This function then
/// releases it after the access to the property has ended.
@inlinable
package func release<Value>(_ value: consuming Value) {
  withExtendedLifetime(value) {}
}
