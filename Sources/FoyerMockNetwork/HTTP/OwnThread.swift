import Dispatch
import FoyerPlatform
import Synchronization

/// Threads for work that waits, which must not take place on those that Swift's tasks share.
enum OwnThread {
    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs the work on a thread that ends with it; where no thread can be had, on a queue of Dispatch.
    static func start(_ body: @escaping @Sendable () -> Void) {
        // Filled by C: the compiler takes the type, but not its initialiser, for that of another system header.
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, 512 * 1024)
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let error = pthread_create(&thread, attributes, runWork, work.toOpaque())
        if error != 0 {
            work.release()
            DispatchQueue.global().async(execute: body)
        }
    }

    /// Waits on this thread, which has to be an own one, for what a task gives; nil when it gives nothing.
    static func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value?) -> Value? {
        let result = Result<Value>(), done = DispatchSemaphore(value: 0)
        Task.detached {
            let value = await body()
            result.value.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        return result.value.withLock { $0 }
    }

    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}

#if canImport(Darwin)
private func runWork(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<OwnThread.Work>.fromOpaque(work).takeRetainedValue().body()
    return nil
}
#else
private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let work { Unmanaged<OwnThread.Work>.fromOpaque(work).takeRetainedValue().body() }
    return nil
}
#endif
