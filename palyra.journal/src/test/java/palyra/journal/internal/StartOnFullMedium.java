package palyra.journal.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.database.DatabaseFile;
import palyra.testing.wait.Await;

/**
 * A process that starts a store where SQLite's library cannot be unpacked, and makes room in steps:
 * too little for the library, enough for it and too little for the database, enough. It prints what
 * the store says at each.
 */
final class StartOnFullMedium {
    private static final long TOO_LITTLE_BYTES = 600 << 10;
    private static final long LIBRARY_ONLY_BYTES = 1_180_000;

    private final TestStore store;
    private final Path disk;
    private final Path filler;

    private StartOnFullMedium(TestStore store, Path disk, Path filler) {
        this.store = store;
        this.disk = disk;
        this.filler = filler;
    }

    /**
     * @param arguments the medium's folder, and the file on it whose space is given free
     */
    public static void main(String[] arguments) throws Exception {
        Path disk = Path.of(arguments[0]);
        JournalSettings settings = TestStore.settings(disk.resolve("state"));
        try (TestStore store = TestStore.on(settings, new DatabaseFile(settings.folder()))) {
            store.journal().awaitOpening();
            new StartOnFullMedium(store, disk, Path.of(arguments[1])).run();
        }
    }

    private void run() throws IOException {
        tell();
        leave(TOO_LITTLE_BYTES);
        await("the library to be named", detail -> detail.startsWith("The SQLite library"));
        tell();
        leave(LIBRARY_ONLY_BYTES);
        await("the database to be tried", detail -> detail.startsWith("The journal's medium"));
        tell();
        Files.delete(filler);
        store.awaitState(State.OPEN);
        String runId = store.newTape(3);
        System.out.println("records " + store.journal().headSeq(runId));
        System.out.println("libraries " + libraries());
    }

    private void await(String what, Predicate<String> detail) {
        Await.until(what, () -> detail.test(store.journal().status().detail()));
    }

    private void tell() {
        var status = store.journal().status();
        System.out.println(status.state() + " " + status.detail());
        System.out.println("write " + refusal(this::writeLarge));
        System.out.println("read " + refusal(() -> store.journal().headSeq("journal")));
    }

    private static String refusal(Runnable work) {
        try {
            work.run();
            return "not refused";
        } catch (PalyraException e) {
            return e.code().toString();
        }
    }

    /** A payload that would become a file beside the database, were there one. */
    private void writeLarge() {
        byte[] payload = ("\"" + "x".repeat(100_000) + "\"").getBytes(StandardCharsets.US_ASCII);
        store.journal().commit(Unit.of(new Operation.Append("journal", "note", 1, payload)));
    }

    private void leave(long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(filler, StandardOpenOption.WRITE)) {
            long free = Files.getFileStore(disk).getUsableSpace();
            channel.truncate(channel.size() - (bytes - free));
        }
    }

    private long libraries() throws IOException {
        try (var files = Files.list(disk.resolve("tmp"))) {
            return files.filter(file -> file.toString().endsWith(".so")).count();
        }
    }
}
