import CLinux

/// The number of processors that the calling thread may run on.
package var processorCount: Int { max(1, Int(runnel_processor_count())) }
