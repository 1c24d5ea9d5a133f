#if GTK
  import RunnelDesk
  import RunnelGTK
  import Testing

  @MainActor
  @Suite(.serialized) struct WindowTests {}
#endif
