package palyra.skills.internal.host;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What a call puts out: its answer, and lines for people. Thread-safe. */
public final class CallOutput {
    /** Largest answer in bytes. */
    public static final int MOST_BYTES = 1 << 20;

    /** Most lines of log. */
    public static final int MOST_LINES = 64;

    /** Longest line of log in bytes. */
    public static final int MOST_LINE_BYTES = 1_024;

    private static final List<String> LEVELS = List.of("debug", "info", "warn", "error");

    private final ReentrantLock lock = new ReentrantLock();
    private final ByteArrayOutputStream answer = new ByteArrayOutputStream(); // guarded by lock
    private final List<String> lines = new ArrayList<>(); // guarded by lock
    private final ByteArrayOutputStream part = new ByteArrayOutputStream(); // guarded by lock
    private boolean overflowed; // guarded by lock

    /** Returns how many bytes the answer may still have. */
    int room() {
        lock.lock();
        try {
            return MOST_BYTES - answer.size();
        } finally {
            lock.unlock();
        }
    }

    /** Appends to the answer; false, with nothing appended, when it would be too large. */
    boolean write(byte[] bytes) {
        lock.lock();
        try {
            if (answer.size() + (long) bytes.length > MOST_BYTES) {
                overflowed = true;
                return false;
            }
            answer.writeBytes(bytes);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Records that output was refused because the answer would be too large. */
    void overflow() {
        lock.lock();
        try {
            overflowed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a line; drops lines beyond the limit. */
    void log(int level, byte[] text) {
        String name = LEVELS.get(Math.max(0, Math.min(LEVELS.size() - 1, level)));
        lock.lock();
        try {
            if (lines.size() < MOST_LINES) {
                lines.add(name + ": " + line(text));
            }
        } finally {
            lock.unlock();
        }
    }

    private static String line(byte[] text) {
        int length = Math.min(text.length, MOST_LINE_BYTES);
        String whole = new String(text, 0, length, StandardCharsets.UTF_8);
        StringBuilder shown = new StringBuilder(whole.length());
        whole.codePoints()
                .forEach(
                        c ->
                                shown.appendCodePoint(
                                        Character.isISOControl(c) && c != '\t' ? ' ' : c));
        return shown.toString().stripTrailing();
    }

    /** Takes bytes of a log stream, which is split into lines. */
    void stream(byte[] bytes) {
        lock.lock();
        try {
            for (byte each : bytes) {
                if (each == '\n' || part.size() >= MOST_LINE_BYTES) {
                    endLine();
                }
                if (each != '\n') {
                    part.write(each);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void endLine() {
        if (lines.size() < MOST_LINES) {
            lines.add("info: " + line(part.toByteArray()));
        }
        part.reset();
    }

    /** Returns the answer so far. */
    public byte[] answer() {
        lock.lock();
        try {
            return answer.toByteArray();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether something of the answer was refused for its size. */
    public boolean overflowed() {
        lock.lock();
        try {
            return overflowed;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the lines so far, each as {@code level: text}. */
    public List<String> lines() {
        lock.lock();
        try {
            if (part.size() > 0) {
                endLine();
            }
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }
}
