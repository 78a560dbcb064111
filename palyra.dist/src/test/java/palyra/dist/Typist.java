package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Types at a process and waits, with a deadline, for what it shows, colours left out. */
final class Typist implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 120;

    /** What moves the cursor or sets a colour or a mode; whole, or begun at the end. */
    private static final Pattern CONTROL =
            Pattern.compile("\u001b(\\[[0-9;?]*([A-Za-z]|$)|[=>]|$)|\r");

    private final Process process;
    private final Thread reader;
    private final StringBuilder shown = new StringBuilder(); // guarded by itself
    private int seen; // guarded by shown
    private boolean over; // guarded by shown

    Typist(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "typist");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        byte[] some = new byte[8192];
        try (InputStream in = process.getInputStream()) {
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                add(new String(some, 0, n, StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            add("<" + e.getMessage() + ">");
        }
        synchronized (shown) {
            over = true;
            shown.notifyAll();
        }
    }

    private void add(String text) {
        synchronized (shown) {
            shown.append(text);
            shown.notifyAll();
        }
    }

    void type(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Waits until the text stands after what was waited for last. */
    void expect(String text) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        synchronized (shown) {
            int at = visible().indexOf(text, seen);
            while (at < 0) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                if (left <= 0 || over) {
                    fail("never saw '" + text + "' after " + seen + " of:\n" + visible());
                }
                shown.wait(left);
                at = visible().indexOf(text, seen);
            }
            seen = at + text.length();
        }
    }

    /** Types a line and waits for an answer that holds {@code text}, then for the next prompt. */
    void ask(String line, String text) throws Exception {
        type(line + "\r");
        expect(text);
        expect("palyra> ");
    }

    int exitCode() throws InterruptedException {
        assertTrue(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS), this::shown);
        return process.exitValue();
    }

    String shown() {
        synchronized (shown) {
            return visible();
        }
    }

    private String visible() {
        return CONTROL.matcher(shown).replaceAll("");
    }

    @Override
    public void close() throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        reader.join(TimeUnit.SECONDS.toMillis(10));
    }
}
