package palyra.backup.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.osgi.framework.BundleContext;
import palyra.api.command.CommandContext;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.ops.Ops;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalFactory;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.SqliteJournal;
import palyra.shared.files.NewFile;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.MemoryKeys;

/** A state folder with a real journal that is open, and the command that backs it up. */
final class Source implements AutoCloseable {
    static final String PASSPHRASE = "correct horse";
    private static final MemoryKeys KEYS = new MemoryKeys();
    private static final int EVENTS = 20;
    private static final int LARGE = 100 << 10; // kept as a file
    private static final int PAYLOADS = 2;

    final SqliteJournal journal;
    final BackupCommand command;

    private Source(Path state) {
        journal =
                JournalFactory.open(JournalSettings.under(state, ""), KEYS, InstantSource.system());
        command = new BackupCommand(state, new NewFile(context(state)), "0.1.0");
        command.bindJournal(journal, Map.of());
    }

    static Source open(Path state) {
        return new Source(state);
    }

    /** Makes the folder: events, payload files, a policy and a key. */
    static void make(Path state) throws IOException {
        for (String folder : new String[] {"tmp", "keys", "policies"}) {
            Files.createDirectories(state.resolve(folder));
        }
        Files.writeString(state.resolve("keys/published.json"), "{}");
        Files.writeString(
                state.resolve("policies/own.cedar"), "permit (principal, action, resource);");
        try (Source source = open(state)) {
            for (int i = 0; i < EVENTS; i++) {
                source.event("x" + i);
            }
            for (int i = 0; i < PAYLOADS; i++) {
                byte[] noise = new byte[LARGE]; // which takes as much in the archive
                new Random(i).nextBytes(noise);
                source.event(HexFormat.of().formatHex(noise));
            }
        }
    }

    private void event(String text) {
        journal.commit(
                Unit.of(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM,
                                "external_event",
                                1,
                                ("{\"text\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8))));
    }

    /** Requires that nothing of a store is lost, and that it takes more. */
    static void requireWhole(Path state) {
        try (Source source = open(state)) {
            VerificationReport report = source.journal.verifyAll(() -> false);
            assertTrue(report.fault().isEmpty(), report.toString());
            assertTrue(report.records() >= EVENTS + PAYLOADS, report.toString());
            assertEquals(0, report.withheld(), report.toString());
            source.event("more");
        }
    }

    static FakeCommandContext.Builder arguments(Path file) {
        return FakeCommandContext.builder()
                .positionals(file.toString())
                .in(new ByteArrayInputStream((PASSPHRASE + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    int backup(CommandContext context) throws IOException {
        return command.run(context);
    }

    private static BundleContext context(Path state) {
        return (BundleContext)
                Proxy.newProxyInstance(
                        BundleContext.class.getClassLoader(),
                        new Class<?>[] {BundleContext.class},
                        (proxy, method, given) ->
                                method.getName().equals("getProperty")
                                                && Ops.STATE_FOLDER.equals(given[0])
                                        ? state.toString()
                                        : null);
    }

    @Override
    public void close() {
        journal.close();
    }
}
