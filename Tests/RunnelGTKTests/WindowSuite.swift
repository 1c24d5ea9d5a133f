#if GTK
import Testing

@testable import RunnelGTK

/// Tests that show a window. Only one backend may exist at a time, so they run one after the other.
@MainActor
@Suite(.serialized, .enabled(if: hasDisplay)) struct WindowSuite {}
#endif
