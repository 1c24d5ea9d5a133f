import Runnel

@MainActor final class MusicPlayer {
  var onFinished: ((String, Int) -> Void)?
}

/// A function of C that calls back with a context.
func sensor_watch(
  _ function: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void,
  _ context: UnsafeMutableRawPointer?
) {
  function(21, context)
}

let player = MusicPlayer()
let finished = CallbackProxy(of: player) { $0.onFinished = $1 }
finished.stream.observeNext { song, seconds in print("\(song): \(seconds) s") }
player.onFinished?("Blue", 200)

let readings = CallbackProxy<Int32>()
readings.stream.observeNext { print("\($0) degrees") }
sensor_watch({ CallbackProxy<Int32>.at($1).send($0) }, readings.context)

// Output:
// Blue: 200 s
// 21 degrees
