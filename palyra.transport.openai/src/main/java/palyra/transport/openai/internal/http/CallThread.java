package palyra.transport.openai.internal.http;

/** Virtual threads of requests. */
public final class CallThread {
    private CallThread() {}

    /** Starts one. */
    public static Thread start(String name, Runnable work) {
        return Thread.ofVirtual().name(name).start(work);
    }
}
