package palyra.sandbox.posix.internal.process;

import palyra.sandbox.posix.internal.libc.Libc;

/** A child started by ProcessBuilder, which the JDK takes away as soon as it ends. */
public final class JdkChild implements Child {
    private final Libc libc;
    private final Process process;

    /** Takes a child over. */
    public JdkChild(Libc libc, Process process) {
        this.libc = libc;
        this.process = process;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public End awaitEnd() throws InterruptedException {
        int code = process.waitFor();
        return new End(code, code > 128, false, -1);
    }

    @Override
    public void killGroup() {
        if (process.isAlive()) {
            libc.kill(-process.pid(), Libc.SIGKILL);
            process.toHandle().destroyForcibly();
        }
    }

    @Override
    public void reap() {
        // The JDK has done it.
    }
}
