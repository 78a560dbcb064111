package palyra.sandbox.internal.run;

/**
 * Threads of this bundle. Platform threads, never virtual ones: launchers put restrictions on the
 * thread that starts a process, and a carrier would keep them.
 */
public final class Threads {
    private Threads() {}

    /** Starts a daemon thread {@code palyra-sandbox-NAME}. */
    public static Thread start(String name, Runnable work) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("palyra-sandbox-" + name)
                .start(work);
    }
}
