import Testing

/// The tests of windows. GTK is used on one thread, so they run one after the other.
@Suite(.serialized) struct GTKTests {}
