// expect: missing argument for parameter 'scheduler' in call
import RunnelStreams

func adopt(_ context: any ExecutionContext) {
  Current.with(context: context) {}
}
