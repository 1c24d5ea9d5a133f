import Glibc
import Runnel

let output = try Writer(STDOUT_FILENO, on: EventLoop.main)
EventStream<Int, Never>.sequence(1...3).map { "line \($0)\n" }.bind(to: output)
try EventLoop.main.run(until: output.writing("end\n").stream)

// Output:
// line 1
// line 2
// line 3
// end
