package palyra.testing.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.testing.wait.Await;

/** Many commands, and commands that are cancelled as soon as they are there. */
public final class ForkStormRules {
    private static final int CANCELS = 400;
    private static final int CANCELLED_AT_ONCE = 4;
    private static final int DELAYS_MILLIS = 9;
    private static final int TOGETHER = 50;
    private static final int CALLBACKS = 100;
    private static final long PATIENCE_MILLIS = 60_000;
    private static final String SLEEPERS = "pgrep -f \"^sleep 34$VP\\$\" >/dev/null";

    private final SandboxBackend backend;
    private final Attempts attempts;
    private final SandboxTestBed stand;
    private final Path workspace;
    private volatile String wrong = "";

    /** Storms in one workspace. */
    public ForkStormRules(SandboxBackend backend, SandboxTestBed stand, Path workspace) {
        this.backend = backend;
        this.attempts = new Attempts(backend, stand);
        this.stand = stand;
        this.workspace = workspace;
    }

    /** Runs everything and prints as {@link Attempts} does. */
    public void all(String mode) throws Exception {
        cancels(mode);
        together(mode);
    }

    private SandboxSpec script(String script) {
        return attempts.spec(
                Egress.STRICT, Optional.empty(), workspace, List.of("/bin/sh", "-c", script));
    }

    /** L19: a command and its daemon are ended 0 to 8 ms after the start; none is left. */
    private void cancels(String mode) throws Exception {
        String both = "setsid sh -c \"exec sleep 34$VP\" & exec sleep 34$VP";
        SandboxProcess whole = backend.start(script(both));
        try (whole) {
            Await.until("a command to be seen", Duration.ofMillis(PATIENCE_MILLIS), this::isSeen);
        }
        say(mode, "L19_seen_until_cancelled", isGone(), "one command");
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger next = new AtomicInteger();
        parallel(
                CANCELLED_AT_ONCE,
                thread -> {
                    for (int at = next.getAndIncrement();
                            at < CANCELS;
                            at = next.getAndIncrement()) {
                        ended.addAndGet(cancelled(both, at % DELAYS_MILLIS) ? 1 : 0);
                    }
                });
        boolean none = isGone();
        say(mode, "L19_cancels", none && ended.get() == CANCELS, ended + " of " + CANCELS);
    }

    private boolean cancelled(String script, int delayMillis) throws Exception {
        try (SandboxProcess process = backend.start(script(script))) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMillis));
            process.kill();
            return process.await(PATIENCE_MILLIS).isPresent();
        }
    }

    private boolean isSeen() {
        try {
            return stand.outside(SLEEPERS, workspace) == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A process that was ended is listed until its parent, or the system, has taken notice. */
    private boolean isGone() {
        try {
            Await.until("all to be gone", () -> !isSeen());
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    /** L21: many run side by side, and threads of this JVM are as free as before. */
    private void together(String mode) throws Exception {
        say("control", "L21_callbacks", callbacks() == CALLBACKS, "before any command ran");
        AtomicInteger fine = new AtomicInteger();
        parallel(TOGETHER, thread -> fine.addAndGet(echoes(thread) ? 1 : 0));
        say(mode, "L21_together", fine.get() == TOGETHER, fine + " of " + TOGETHER + wrong);
        int read = callbacks();
        say(mode, "L21_callbacks", read == CALLBACKS, read + " of " + CALLBACKS);
    }

    private boolean echoes(int number) throws Exception {
        String script = "sleep 0.1; echo " + number;
        try (SandboxProcess process = backend.start(script(script))) {
            ProcessEnd ending = ProcessEnd.of(process, PATIENCE_MILLIS);
            if (ending.exitCode() == 0 && ending.output().equals(number + "\n")) {
                return true;
            }
            wrong = ", " + ending;
            return false;
        }
    }

    /** Returns how many callbacks at the end of ordinary processes could read a file. */
    private int callbacks() throws Exception {
        List<CompletableFuture<String>> texts = new ArrayList<>();
        for (int at = 0; at < CALLBACKS; at++) {
            Process process = new ProcessBuilder("sleep", "0.02").start();
            texts.add(process.onExit().thenApply(ended -> secret()));
        }
        int read = 0;
        for (CompletableFuture<String> text : texts) {
            String got = text.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            read += got.equals("HOSTSECRET\n") ? 1 : 0;
        }
        return read;
    }

    private String secret() {
        try {
            return Files.readString(stand.host().resolve("secret.txt"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** What one of several threads does. */
    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void parallel(int threads, Work work) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(threads);
        for (int at = 0; at < threads; at++) {
            int thread = at;
            Thread.ofPlatform()
                    .daemon()
                    .name("palyra-sandbox-storm-" + at)
                    .start(
                            () -> {
                                try {
                                    work.run(thread);
                                } catch (Exception e) {
                                    e.printStackTrace();
                                } finally {
                                    done.countDown();
                                }
                            });
        }
        done.await();
    }

    private static void say(String mode, String id, boolean fine, String detail) {
        ProcessLifeRules.say(mode, id, fine, new ProcessEnd(true, 0, detail, ""));
    }
}
