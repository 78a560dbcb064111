package palyra.journal.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.testing.wait.Await;

/**
 * A process that starts a store where SQLite's library cannot be unpacked, and makes room in steps.
 * It prints one line a step.
 */
final class StartOnFullMedium {
    private StartOnFullMedium() {}

    /**
     * @param arguments the medium's folder, and the file on it whose space is given free
     */
    public static void main(String[] arguments) throws Exception {
        Path disk = Path.of(arguments[0]);
        Path filler = Path.of(arguments[1]);
        JournalSettings settings = TestStore.settings(disk.resolve("state"));
        try (TestStore store = TestStore.on(settings, new DatabaseFile(settings.folder()))) {
            store.journal().awaitOpening();
            report(store);
            System.out.println("refused " + refusal(store));
            shrink(filler, 600 << 10);
            Await.until("the freed bytes to be named", () -> names(store, disk));
            report(store);
            Files.delete(filler);
            store.awaitState(State.OPEN);
            String runId = store.newTape(3);
            System.out.println("records " + store.journal().headSeq(runId));
            System.out.println("left over " + leftOver(disk.resolve("tmp")));
        }
    }

    private static void report(TestStore store) {
        var status = store.journal().status();
        System.out.println(status.state() + " " + status.detail());
    }

    /** A payload that would become a file beside the database, were there one. */
    private static String refusal(TestStore store) {
        try {
            store.journal()
                    .commit(
                            palyra.api.core.journal.Unit.of(
                                    new palyra.api.core.journal.Operation.Append(
                                            "journal", "note", 1, big())));
            return "nothing";
        } catch (PalyraException e) {
            return e.code().toString();
        }
    }

    private static byte[] big() {
        byte[] text = new byte[100_000];
        Arrays.fill(text, (byte) 'x');
        return ("\"" + new String(text, StandardCharsets.US_ASCII) + "\"")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void shrink(Path filler, int by) throws IOException {
        try (var channel =
                java.nio.channels.FileChannel.open(
                        filler, java.nio.file.StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - by);
        }
    }

    private static boolean names(TestStore store, Path disk) {
        String detail = store.journal().status().detail();
        return detail.contains("bytes free") && !detail.contains("(0 bytes free)");
    }

    private static long leftOver(Path tmp) throws IOException {
        try (var files = Files.list(tmp)) {
            return files.filter(file -> file.toString().endsWith(".so")).count();
        }
    }
}
