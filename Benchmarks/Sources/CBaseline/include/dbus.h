// Programs with sd-bus that exchange messages over a socket, without a bus between.
#pragma once

// Call a method of an object, at most `depth` calls of them unanswered. Both sides are on the calling
// thread. Returns nanoseconds for each call.
double dbus_call(int depth, long count);

// Send signals of an object, at most `depth` of them not received. Both sides are on the calling thread.
// Returns nanoseconds for each signal.
double dbus_signal(int depth, long count);
