package palyra.journal.internal.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the process that has the database, for the message to a refused one. It decides nothing:
 * the lock does.
 */
final class LockHolder {
    private static final Logger LOG = LoggerFactory.getLogger(LockHolder.class);
    private static final Path KERNEL_HOST = Path.of("/proc/sys/kernel/hostname");
    private static final Pattern FORM =
            Pattern.compile(
                    "process ([0-9]{1,18}) on host ([\\p{Graph}()]{1,255}) since [0-9TZ:-]+");
    private static final String UNKNOWN = "another process";
    private static final int LOOKS = 50;
    private static final long LOOK_MILLIS = 10;

    private final Path database;
    private final Path file;

    LockHolder(Path database) {
        this.database = database;
        this.file = database.resolveSibling(database.getFileName() + ".holder");
    }

    /** Writes that this process has it. Not being able to is no reason to do without the lock. */
    void write() {
        try {
            Files.deleteIfExists(file); // so that no wrong holder is named later
            Files.createFile(file, DatabaseFile.mode("rw-------"));
            Files.writeString(file, self() + "\n");
        } catch (IOException e) {
            LOG.warn("{} could not be written: {}", file, e.toString());
        }
    }

    /** Forgets, while the lock is still held, that this process has it. */
    void erase() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", file, e.toString());
        }
    }

    private static String self() {
        return "process "
                + ProcessHandle.current().pid()
                + " on host "
                + host()
                + " since "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    private static String host() {
        try {
            return Files.readString(KERNEL_HOST).strip();
        } catch (IOException e) {
            String name = System.getenv().getOrDefault("COMPUTERNAME", System.getenv("HOSTNAME"));
            return name == null ? "(unknown)" : name;
        }
    }

    /** Returns the text for a second process that is refused. */
    String sentence() {
        return "The journal's database "
                + database
                + " is in use by "
                + named()
                + "; stop that gateway, or give this one a state folder of its own. It is tried"
                + " again by itself.";
    }

    /** A process that has just taken the lock may not have written its name yet. */
    private String named() {
        for (int look = 0; look < LOOKS; look++) {
            Optional<String> name = written().filter(LockHolder::isAlive);
            if (name.isPresent()) {
                return name.get();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return UNKNOWN;
            }
        }
        return UNKNOWN;
    }

    private Optional<String> written() {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A killed former holder is still named there; processes of another host cannot be checked. */
    private static boolean isAlive(String name) {
        Matcher words = FORM.matcher(name);
        return words.matches()
                && (!words.group(2).equals(host())
                        || ProcessHandle.of(Long.parseLong(words.group(1))).isPresent());
    }
}
